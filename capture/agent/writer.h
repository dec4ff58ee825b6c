/* capture/agent/writer.h - the writer thread. Private to the library. */
#ifndef TT_CAPTURE_AGENT_WRITER_H
#define TT_CAPTURE_AGENT_WRITER_H

#include "capture/agent/core/recorder.h"

/* Start the writer thread; 0, or an errno if it cannot be created. */
int tt_writer_start(tt_recorder *r);
/* What a ring of the recorder's spool asks for. */
tt_ring_hooks tt_writer_ring_hooks(tt_recorder *r);

#endif
