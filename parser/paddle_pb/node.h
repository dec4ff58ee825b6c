/* parser/paddle_pb/node.h - the messages of Paddle's protobuf dump (NodeTreesProto, schema 1.0). Private to parser/.
 *
 * Every event of a trace that was read from a dump has the place of a node's tag as its text: a host event, a
 * runtime call, a piece of device work, a memory event. Which of them it is shows in the first bytes. */
#ifndef TT_PARSER_PADDLE_PB_NODE_H
#define TT_PARSER_PADDLE_PB_NODE_H

#include "parser/json/write.h"
#include "parser/protobuf/wire.h"

enum { /* field numbers */
       TT_TREES_VERSION = 1,
       TT_TREES_SPAN = 2,
       TT_TREES_THREAD = 3,
       TT_TREES_EXTRA = 4,
       TT_TREES_DEVICE = 5,
       TT_THREAD_ID = 1,
       TT_THREAD_NODE = 2,
       TT_PB_NODE_ID = 1,
       TT_PB_NODE_PARENT = 2,
       TT_PB_NODE_EVENT = 3,
       TT_PB_NODE_RUNTIME = 4,
       TT_PB_NODE_MEMORY = 5,
       TT_PB_NODE_SUPPLEMENT = 6,
       TT_RUNTIME_DEVICE = 2, /* in CudaRuntimeTraceEventNodeProto, whose event is field 1 */
};

typedef enum tt_pb_what { TT_PB_HOST, TT_PB_RUNTIME, TT_PB_DEVICE, TT_PB_MEMORY, TT_PB_WHATS_ } tt_pb_what;

/* Categories by the number in the dump, as the JSON traces spell them; NULL for numbers without a name. */
const char *tt_paddle_type(uint64_t type);
const char *tt_paddle_memory_type(uint64_t type);

/* Input shapes and types of an OperatorSupplementEventProto as JSON: {"x": [[32, 10]]}. */
void tt_pb_shapes(const tt_pb_field *f, tt_json *out);
void tt_pb_types(const tt_pb_field *f, tt_json *out);

/* How a value is to be read. */
typedef enum tt_pb_format {
    TT_PB_NUMBER,
    TT_PB_SIGNED,
    TT_PB_TEXT,
    TT_PB_FLOAT,
    TT_PB_PERCENT, /* a float, of 1 */
    TT_PB_TYPE,
    TT_PB_MEMORY_TYPE,
    TT_PB_SHAPES,
    TT_PB_TYPES
} tt_pb_format;
/* A member of an event: key as in "name", "start_ns", "args.device". */
typedef void tt_pb_visit(void *arg, const char *key, const tt_pb_field *f, tt_pb_format format);
/* All that is known of the event whose node begins at text. *whole: none of it lies behind len. TT_PB_WHATS_ when no
 * node begins there. */
tt_pb_what tt_pb_visit_node(const char *text, size_t len, bool *whole, tt_pb_visit *visit, void *arg);

#endif
