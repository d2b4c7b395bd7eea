/* stop.c - one flag. */
#include "tests/sim/stop.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t wanted;

static void on_signal(int number)
{
    (void)number;
    wanted = 1;
}

void stop_on_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGALRM, &action, NULL);
}

void stop_after(unsigned seconds)
{
    alarm(seconds);
}

bool stop_wanted(void)
{
    return wanted;
}
