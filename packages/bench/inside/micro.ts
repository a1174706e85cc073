// `pnpm bench micro`: measures functions of core that are not for others. Like a test it reaches in, so it is no part of
// the sources.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { columns } from '@postern/bench/report/table'
import { ratios, type Summary, summarize } from '@postern/bench/statistics'
import { hotFunctions, type Work } from './hot-functions.ts'

/** What one function costs. */
interface MicroFigure {
  readonly name: string
  /** Microseconds of CPU time. */
  readonly cpu: Summary
  /** Times SHA-256 of 1 kB in the same round: this can be compared between machines. */
  readonly ratio: Summary
}

const rounds = 15
/** Microseconds of one slice. */
const slice = 30_000

const kilobyte = Buffer.alloc(1024, 'x')
const reference: Work = () => createHash('sha256').update(kilobyte).digest()

function cpuNow(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** Microseconds of CPU time of one call. */
async function getCost(work: Work, calls: number): Promise<number> {
  const before = cpuNow()
  for (let call = 0; call < calls; call++) {
    const result = work()
    if (result instanceof Promise) await result
  }
  return (cpuNow() - before) / calls
}

/** As many calls as fill a slice, once the code is warm. */
async function getCalls(work: Work): Promise<number> {
  let calls = 16
  for (;;) {
    const cost = await getCost(work, calls)
    if (cost * calls >= slice) return Math.max(1, Math.round(slice / cost))
    calls *= 2
  }
}

interface Running {
  readonly name: string
  readonly work: Work
  readonly calls: number
  readonly costs: number[]
}

async function measure(works: Readonly<Record<string, Work>>): Promise<MicroFigure[]> {
  const all: Running[] = []
  for (const [name, work] of Object.entries({ reference, ...works })) {
    all.push({ name, work, calls: await getCalls(work), costs: [] })
  }
  for (let round = 0; round < rounds; round++) {
    for (const { work, calls, costs } of all) costs.push(await getCost(work, calls))
  }
  const [floor] = all
  return all.map(({ name, costs }) => ({
    name,
    cpu: summarize(costs),
    ratio: summarize(ratios(costs, floor?.costs ?? []))
  }))
}

const file = new URL('../results/micro.json', import.meta.url)

/** The kept ratios, by name. */
function stored(): ReadonlyMap<string, number> {
  const value: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const pairs = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return new Map(pairs.flatMap(([name, ratio]) => (typeof ratio === 'number' ? [[name, ratio] as const] : [])))
}

/** Measures every hot function, beside the kept figures; `isSaved` keeps these. */
async function runMicro({ isSaved }: { readonly isSaved: boolean }): Promise<void> {
  const before = stored()
  const { works, close } = await hotFunctions()
  const figures = await measure(works)
  await close()
  const rows = figures.map(({ name, cpu, ratio }) => {
    const old = before.get(name)
    const change = old === undefined ? '' : `${((ratio.median / old - 1) * 100).toFixed(0)} %`
    const spread = `${ratio.low.toFixed(2)} … ${ratio.high.toFixed(2)}`
    return [name, cpu.median.toFixed(2), ratio.median.toFixed(2), spread, old?.toFixed(2) ?? '', change]
  })
  const head = ['', 'CPU µs', '× SHA-256 of 1 kB', 'spread', 'kept', 'change']
  process.stdout.write(`${columns([head, ...rows])}\n`)
  if (!isSaved) return
  const ratiosByName = Object.fromEntries(figures.map(({ name, ratio }) => [name, Number(ratio.median.toFixed(3))]))
  writeFileSync(file, `${JSON.stringify(ratiosByName, null, 2)}\n`)
  process.stdout.write(`written: ${fileURLToPath(file)}\n`)
}

await runMicro({ isSaved: process.argv.includes('--save') })
