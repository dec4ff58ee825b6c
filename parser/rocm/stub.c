/* stub */
#include "parser/rocm/reader.h"
bool tt_rocpd_is(const tt_db *d) { (void)d; return false; }
bool tt_rpd_is(const tt_db *d) { (void)d; return false; }
tt_trace *tt_rocpd_load(tt_db_job *job) { (void)job; return NULL; }
tt_trace *tt_rpd_load(tt_db_job *job) { (void)job; return NULL; }
