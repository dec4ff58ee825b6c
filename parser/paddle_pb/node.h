/* parser/paddle_pb/node.h - the messages of Paddle's protobuf dump (NodeTreesProto, schema 1.0). Private to parser/.
 *
 * The text of an event in a trace read from a dump is the place of a node's tag: a host event, a runtime call, device
 * work, or a memory event. The first bytes tell which. */
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
       TT_RUNTIME_DEVICE = 2, /* fields of CudaRuntimeTraceEventNodeProto, whose event is field 1 */
};

typedef enum tt_pb_what { TT_PB_HOST, TT_PB_RUNTIME, TT_PB_DEVICE, TT_PB_MEMORY, TT_PB_WHATS_ } tt_pb_what;

/* Category of a type's number, as the JSON traces spell it; NULL for an unnamed number. */
const char *tt_paddle_type(uint64_t type);
const char *tt_paddle_memory_type(uint64_t type);

/* Input shapes and types of an OperatorSupplementEventProto as JSON: {"x": [[32, 10]]}. */
void tt_pb_shapes(const tt_pb_field *f, tt_json *out);
void tt_pb_types(const tt_pb_field *f, tt_json *out);

/* Formats of a value. */
typedef enum tt_pb_format {
    TT_PB_NUMBER,
    TT_PB_SIGNED,
    TT_PB_TEXT,
    TT_PB_FLOAT,
    TT_PB_PERCENT, /* a float; 1 = 100 % */
    TT_PB_TYPE,
    TT_PB_MEMORY_TYPE,
    TT_PB_SHAPES,
    TT_PB_TYPES
} tt_pb_format;
/* Called for a member of an event: key as in "name", "start_ns", "args.device". */
typedef void tt_pb_visit(void *arg, const char *key, const tt_pb_field *f, tt_pb_format format);
/* Visit all members of the event whose node begins at text. *whole: all of them lie within len. TT_PB_WHATS_ when no
 * node begins there. */
tt_pb_what tt_pb_visit_node(const char *text, size_t len, bool *whole, tt_pb_visit *visit, void *arg);

#endif
