import { getName } from './names.ts'
import type { Results } from './results.ts'

const width = 720
const left = 190
const right = 70
const bar = 9
const gap = 14
const top = 62

/** What the chart shows, in this order; the floor is its left edge. */
const shown = ['postern', 'next-auth', 'auth-js', 'better-auth']

const style = `
  .paper { fill: #ffffff }
  text { font: 12px system-ui, sans-serif; fill: #1f2328 }
  .title { font-size: 14px; font-weight: 600 }
  .quiet, .value { fill: #59636e; font-size: 11px }
  .value { font-size: 10px }
  .line { stroke: #d1d9e0 }
  .postern { fill: #0b6e4f }
  .next-auth { fill: #7a5cc4 }
  .auth-js { fill: #b3541e }
  .better-auth { fill: #64748b }
  .target { stroke: #1f2328; stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117 }
    text { fill: #f0f6fc }
    .quiet, .value { fill: #9198a1 }
    .line { stroke: #3d444d }
    .postern { fill: #3fb98a }
    .next-auth { fill: #a48ff0 }
    .auth-js { fill: #e8925f }
    .better-auth { fill: #8b9bb0 }
    .target { stroke: #f0f6fc }
  }`

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** Where a ratio stands on an axis on which every step to the right is ten times as much. */
function getPlace(ratio: number, max: number): number {
  const share = Math.log10(Math.max(1, ratio)) / Math.log10(max)
  return Number((left + share * (width - left - right)).toFixed(1))
}

interface Row {
  readonly title: string
  readonly target: number
  readonly bars: readonly { readonly subject: string; readonly ratio: number }[]
}

function getRows({ scenarios }: Pick<Results, 'scenarios'>): Row[] {
  // The chart compares libraries; jobs without next-auth compare something else.
  const compared = scenarios.filter(({ figures }) => figures.some(({ subject }) => subject === 'next-auth'))
  return compared.map(({ id, title, target, figures }) => ({
    title: `${id}  ${title}`,
    target,
    bars: shown.flatMap((subject) => {
      const figure = figures.find((each) => each.subject === subject)
      return figure ? [{ subject, ratio: figure.ratio.median }] : []
    })
  }))
}

function rowMarkup({ title, target, bars }: Row, y: number, max: number): string {
  const height = bars.length * bar
  const drawn = bars.map(({ subject, ratio }, index) => {
    const at = y + index * bar
    const end = getPlace(ratio, max)
    // The mark of the limit is in the row of our own bar, and not to be written over.
    const textAt = (subject === 'postern' ? Math.max(end, getPlace(target, max)) : end) + 4
    const text = ratio < 10 ? ratio.toFixed(1) : ratio.toFixed(0)
    return (
      `<rect class="${subject}" x="${left}" y="${at}" width="${Number((end - left).toFixed(1))}" height="${bar - 2}"/>` +
      `<text class="value" x="${textAt}" y="${at + 7}">${text}×</text>`
    )
  })
  const at = getPlace(target, max)
  const mark = `<line class="target" x1="${at}" x2="${at}" y1="${y - 2}" y2="${y + bar}"/>`
  const label = `<text x="12" y="${y + height / 2 + 3}">${escaped(title)}</text>`
  return [label, ...drawn, mark].join('\n')
}

function legend(): string {
  return shown
    .map((subject, index) => {
      const x = 12 + index * 120
      return `<rect class="${subject}" x="${x}" y="32" width="10" height="10"/><text class="quiet" x="${x + 15}" y="41">${getName(subject)}</text>`
    })
    .join('\n')
}

function axis(max: number, bottom: number): string {
  const steps = [1, 10, 100, 1000].filter((step) => step <= max)
  return steps
    .map((step) => {
      const x = getPlace(step, max)
      const line = `<line class="line" x1="${x}" x2="${x}" y1="${top - 6}" y2="${bottom}"/>`
      return `${line}<text class="quiet" x="${x}" y="${bottom + 14}" text-anchor="middle">${step}×</text>`
    })
    .join('\n')
}

/** @returns The chart: CPU time of each job as a multiple of a bare Fastify route's, in light and in dark. */
export function chart(results: Pick<Results, 'scenarios' | 'versions' | 'machine'>): string {
  const rows = getRows(results)
  const max = Math.max(10, ...rows.flatMap(({ bars }) => bars.map(({ ratio }) => ratio)))
  let y = top
  const drawn = rows.map((row) => {
    const text = rowMarkup(row, y, max)
    y += row.bars.length * bar + gap
    return text
  })
  const bottom = y - gap + 6
  const { versions, machine } = results
  const versionText = ['next-auth', '@auth/express', 'better-auth', 'fastify'].map(
    (name) => `${name} ${versions[name]}`
  )
  const note = `${versionText.join(', ')}, Node ${machine.node.slice(1)}. The upright mark is Postern’s limit.`
  const height = bottom + 40
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">CPU time of the server process for each job, as a multiple of a bare Fastify route</title>
<style>${style}
</style>
<rect class="paper" width="${width}" height="${height}" rx="6"/>
<text class="title" x="12" y="20">CPU time for each job, × a bare Fastify route (less is better)</text>
${legend()}
${axis(max, bottom)}
${drawn.join('\n')}
<text class="quiet" x="12" y="${bottom + 32}">${escaped(note)}</text>
</svg>
`
}
