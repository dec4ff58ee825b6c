/* capture/shared/old_glibc.h - asks for functions of glibc by old versions, so that the capture library, which programs
 * of any container load, needs nothing newer than 2.17 (RHEL 7, 2013) wherever it was built. The build includes it in
 * front of every file of the library and links libpthread and libdl by name: before 2.34 those functions live there.
 * The versions are those of glibc's Versions files. Functions without an old version are not called: stat() and fstat()
 * (2.33; sysfile.h has replacements), gettid() (2.30). tests/capture/symbols.py checks the result. */
#ifndef TT_CAPTURE_SHARED_OLD_GLIBC_H
#define TT_CAPTURE_SHARED_OLD_GLIBC_H

#include <features.h>

/* since glibc 2.38 strtol() and sscanf() become new functions that read binary numbers; these macros ask for the old
 * ones */
#ifdef __GLIBC_USE_C2X_STRTOL
#undef __GLIBC_USE_C2X_STRTOL
#define __GLIBC_USE_C2X_STRTOL 0
#endif
#ifdef __GLIBC_USE_C23_STRTOL /* name of the macro since glibc 2.40 */
#undef __GLIBC_USE_C23_STRTOL
#define __GLIBC_USE_C23_STRTOL 0
#endif

#if defined __GLIBC__ && defined __x86_64__
#define TT_OLDEST "GLIBC_2.2.5"
#define TT_OLD_CLOCK "GLIBC_2.3.3" /* version of pthread_condattr_setclock */
#elif defined __GLIBC__ && defined __aarch64__
#define TT_OLDEST "GLIBC_2.17"
#define TT_OLD_CLOCK "GLIBC_2.17"
#endif

#ifdef TT_OLDEST
#define TT_FROM(function, version) __asm__(".symver " #function "," #function "@" version)
TT_FROM(dladdr, TT_OLDEST);
TT_FROM(dlclose, TT_OLDEST);
TT_FROM(dlerror, TT_OLDEST);
TT_FROM(dlopen, TT_OLDEST);
TT_FROM(dlsym, TT_OLDEST);
TT_FROM(glob, TT_OLDEST);
TT_FROM(pthread_condattr_setclock, TT_OLD_CLOCK);
TT_FROM(pthread_create, TT_OLDEST);
TT_FROM(pthread_detach, TT_OLDEST);
TT_FROM(pthread_getspecific, TT_OLDEST);
TT_FROM(pthread_join, TT_OLDEST);
TT_FROM(pthread_key_create, TT_OLDEST);
TT_FROM(pthread_kill, TT_OLDEST);
TT_FROM(pthread_mutex_trylock, TT_OLDEST);
TT_FROM(pthread_once, TT_OLDEST);
TT_FROM(pthread_setspecific, TT_OLDEST);
TT_FROM(pthread_sigmask, TT_OLDEST);
#undef TT_FROM
#endif

#endif
