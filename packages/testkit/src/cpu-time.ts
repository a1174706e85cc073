/** Milliseconds of CPU time that this process has used: what an answer costs, however busy the machine is. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
