// Generates the figures in docs/scaling.md from the last `pnpm bench scale` of each store.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const names = { sqlite: 'SQLite', postgres: 'PostgreSQL' }
const begin = '<!-- pnpm bench scale, pnpm docs:write -->\n'
const end = '<!-- end of generated figures -->'

const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ' ')
const micro = ({ median }) => median.toFixed(median < 100 ? 1 : 0)

function getRow(name, { title, target, figures }) {
  const costs = figures.map(({ cpu, backends }) => (backends ? `${micro(cpu)} + ${micro(backends)}` : micro(cpu)))
  const { median, low, high } = figures.at(-1).ratio
  const ratio = `${median.toFixed(2)}×`
  return [
    `${name}: ${title}`,
    ...costs,
    median > target ? `**${ratio}**` : ratio,
    `${low.toFixed(2)} … ${high.toFixed(2)}`
  ]
}

function getAbout(name, { machine, rounds, stores, when }) {
  const { bytes } = stores.at(-1)
  const load = machine.load > 0.5 ? `, under other load (${machine.load.toFixed(1)})` : ''
  const { cores, cpu, node } = machine
  return `${name}: ${(bytes / 1e9).toFixed(1)} GB maximum; ${rounds} rounds on ${when.slice(0, 10)}, Node ${node.slice(1)}, ${cores} cores of ${cpu}${load}.`
}

/** @returns {string} The table, and the machine that it was measured on. */
export function scaleTable(results) {
  const measured = Object.entries(names).filter(([store]) => results[store])
  const sizes = results[measured[0][0]].stores.map(({ users }) => `${grouped(users)}`)
  const head = ['CPU µs', ...sizes.map((size) => `${size} users`), `${sizes.at(-1)} to ${sizes[0]}`, 'lowest … highest']
  const rows = measured.flatMap(([store, name]) => results[store].jobs.map((job) => getRow(name, job)))
  const lines = [head, head.map((_, column) => (column === 0 ? '---' : '--:')), ...rows]
  const about = measured.map(([store, name]) => getAbout(name, results[store]))
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n\n${about.join('\n')}\n`
}

/** @returns The page with the current figures. */
export function scalingPage() {
  const page = readFileSync(join(root, 'docs/scaling.md'), 'utf8')
  const results = JSON.parse(readFileSync(join(root, 'packages/bench/results/scale.json'), 'utf8'))
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/scaling.md: expected ${begin.trim()} and ${end} around the figures`)
  return `${page.slice(0, from + begin.length)}\n${scaleTable(results)}\n${page.slice(to)}`
}
