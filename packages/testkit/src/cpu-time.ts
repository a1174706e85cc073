/** Milliseconds of CPU time that this process has used: the cost of a request, independent of the machine's load. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
