/* model/base/run/background.h - threads that give way to the thread that a person waits for. */
#ifndef TT_MODEL_BASE_RUN_BACKGROUND_H
#define TT_MODEL_BASE_RUN_BACKGROUND_H

/* The calling thread, and the threads and programs that it starts from now on, give way to others where processors
 * are busy; on idle processors they run as fast as before. This cannot be undone. */
void tt_background(void);
/* The calling thread works in short bursts that a person waits for: where processors are busy, it runs soon after it
 * was woken. Threads that it starts from now on are ordinary ones. Does nothing where the system lacks this. */
void tt_foreground(void);

#endif
