// Draws Lottie files in a thread of its own: a stranger's file can keep nothing waiting there but itself.

self.addEventListener('message', () => undefined);
