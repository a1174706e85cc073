import type { Results } from './results.ts'

const width = 720
const left = 130
const longest = 320
const bar = 22
const gap = 12
const top = 46

/** The job of the README: what an application does in every request of a signed-in user. */
const job = 'D'
const shown = { postern: 'Postern', 'next-auth': 'next-auth 4', 'better-auth': 'better-auth' }

const style = `
  .paper { fill: #ffffff }
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .title { font-size: 14px; font-weight: 600 }
  .postern { fill: #0b6e4f }
  .other { fill: #8c959f }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117 }
    text { fill: #f0f6fc }
    .postern { fill: #3fb98a }
    .other { fill: #656d76 }
  }`

/** @throws Error if the job was not measured with one of the libraries. */
export function getBars({ scenarios }: Pick<Results, 'scenarios'>): readonly (readonly [string, string, number])[] {
  const figures = scenarios.find(({ id }) => id === job)?.figures ?? []
  return Object.entries(shown).map(([subject, name]) => {
    const figure = figures.find((each) => each.subject === subject)
    if (!figure) throw new Error(`expected a figure of ${subject} in job ${job}`)
    return [subject, name, figure.ratio.median]
  })
}

/** @returns Three bars on a linear scale, in light and in dark: the CPU time of a guarded route beside the bare route. */
export function barChart(results: Pick<Results, 'scenarios'>): string {
  const bars = getBars(results)
  const max = Math.max(...bars.map(([, , ratio]) => ratio))
  const drawn = bars.map(([subject, name, ratio], at) => {
    const y = top + at * (bar + gap)
    const length = Number(((ratio / max) * longest).toFixed(1))
    const words = `${ratio < 10 ? ratio.toFixed(1) : ratio.toFixed(0)} times the CPU time of the bare route`
    return (
      `<text x="12" y="${y + 15}">${name}</text>` +
      `<rect class="${subject === 'postern' ? subject : 'other'}" x="${left}" y="${y}" width="${length}" height="${bar}" rx="3"/>` +
      `<text x="${left + length + 8}" y="${y + 15}">${words}</text>`
    )
  })
  const height = top + bars.length * (bar + gap) + 6
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">CPU time of a route that requires a session, as a multiple of the same route without sign-in</title>
<style>${style}
</style>
<rect class="paper" width="${width}" height="${height}" rx="6"/>
<text class="title" x="12" y="24">A route that requires a session, compared with the bare Fastify route</text>
${drawn.join('\n')}
</svg>
`
}
