/** Answers the process that started this one: what it has used so far, and when to end. */
export function answerParent(): void {
  process.on('message', (message) => {
    if (message === 'stop') process.exit(0)
    globalThis.gc?.()
    const { user, system } = process.cpuUsage()
    const { rss, heapUsed } = process.memoryUsage()
    process.send?.({ cpu: user + system, rss, heap: heapUsed })
  })
  // Nobody is left to answer when the parent is gone.
  process.on('disconnect', () => process.exit(0))
}
