// Ctrl-C: the first one ends a computation in good order, the second one at once.
#pragma once

namespace masing::app {

/// From now on SIGINT and SIGTERM are noticed.
void watch_interrupts();
bool is_interrupted();

}  // namespace masing::app
