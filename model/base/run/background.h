/* model/base/run/background.h - threads that give way to the one that a person waits for. */
#ifndef TT_MODEL_BASE_BACKGROUND_H
#define TT_MODEL_BASE_BACKGROUND_H

/* The calling thread, and the threads and programs that it starts from now on, give way to others where processors are
 * busy; alone they run as fast as before. There is no way back. */
void tt_background(void);
/* The calling thread works in short bursts that somebody waits for: where processors are busy it is run soon after it
 * was woken. Threads that it starts from now on are usual ones again. Nothing where the system does not know this. */
void tt_foreground(void);

#endif
