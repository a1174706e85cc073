// The page of the five paths: each a table of the files that it enters, in their order.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ground, paths } from './paths.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const ts = createRequire(join(root, 'docs/package.json'))('typescript')

/** The ground less `hooks`: that the application is asked is worth a word. */
const isValue = /^(model|errors|cookies|tokens|http|adapter|config)\//

/** The first sentence of a declaration's documentation, or of that of the class that it is in. */
function sentenceOf(file, name) {
  const path = join(root, 'packages/core/src', file)
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  let found = null
  const visit = (node, outer) => {
    const [doc] = (ts.isVariableDeclaration(node) ? node.parent.parent : node).jsDoc ?? []
    const returned = doc?.tags?.find(ts.isJSDocReturnTag)?.comment
    const own = ts.getTextOfJSDocComment(doc?.comment ?? returned) || outer
    if (node.name?.getText() === name && (ts.isFunctionLike(node) || ts.isVariableDeclaration(node))) found ??= own
    ts.forEachChild(node, (child) => visit(child, ts.isClassLike(node) ? own : ''))
  }
  visit(source, '')
  const [sentence] = /^.*?[.!?](?=\s|$)/s.exec(found ?? '') ?? []
  if (!sentence) throw new Error(`${file}: ${name} begins a step of a path: say in TSDoc what it does`)
  return sentence.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')
}

const code = (text) => `\`${text}\``

/** One path as a table: each file that is entered below the one that entered it, and what it asks. */
function tableOf({ entered, touched }) {
  const depth = new Map()
  const rows = entered.map(({ file, from, names, asks }, index) => {
    depth.set(file, from[0] === undefined ? 0 : 1 + depth.get(from[0]))
    const asked = asks.filter((other) => !isValue.test(other))
    const does = names.map((name) => `${code(name)}: ${sentenceOf(file, name)}`).join('<br>')
    return `| ${index + 1} | ${'· '.repeat(depth.get(file))}${code(file)} | ${does} | ${asked.map(code).join(', ')} |`
  })
  const askers = Map.groupBy(
    entered.flatMap(({ file, asks }) => asks.filter((other) => !isValue.test(other)).map((asked) => ({ asked, file }))),
    ({ asked }) => asked
  )
  const shared = [...askers].filter(([, asking]) => asking.length > 1)
  const twice = shared.map(([asked, asking]) => `${code(asked)} (${asking.map(({ file }) => code(file)).join(', ')})`)
  const shown = new Set(entered.flatMap(({ file, asks }) => [file, ...asks.filter((other) => !isValue.test(other))]))
  const rest = touched.filter((file) => !shown.has(file)).toSorted()
  return `| # | File | What is entered | What it asks |
| --: | --- | --- | --- |
${rows.join('\n')}
${twice.length > 0 ? `\nAsked by more than one: ${twice.join(', ')}.\n` : ''}
On the ground: ${rest.map(code).join(', ')}.
`
}

/** The path that is gone most often, and the longest, with signed tokens too. */
const drawnTwice = new Set(['Session', 'OAuth callback'])

/** A way that differs from one that is drawn by a file that is entered, too. */
const countedOnly = new Set(['OAuth callback, linking'])

const mark = '<!-- below: written by pnpm docs:write -->'

/** @returns The page: what somebody wrote, and the files of each path below. */
export async function lifecyclePage() {
  const text = readFileSync(join(root, 'docs/lifecycle.md'), 'utf8')
  const [written] = text.split(mark)
  const found = await paths()
  const [stored, signed] = ['database', 'jwt'].map((way) => found.filter(({ strategy }) => strategy === way))
  const counts = stored.map((path, index) => {
    const cells = [path, signed[index]].flatMap(({ entered, touched }) => {
      const asked = new Set(entered.flatMap(({ asks }) => asks.filter((file) => !ground.test(file))))
      return [entered.length, asked.size, touched.length]
    })
    return `| ${path.name} | ${cells.join(' | ')} |`
  })
  const drawn = [
    ...stored.filter(({ name }) => !countedOnly.has(name)),
    ...signed.filter(({ name }) => drawnTwice.has(name))
  ]
  const tables = drawn.map((path) => {
    const title = path.strategy === 'jwt' ? `${path.name}, with signed tokens` : path.name
    return `### ${title}\n\n${tableOf(path)}`
  })
  return `${written}${mark}

| Path | Entered | Asked | Touched | Signed tokens: entered | Asked | Touched |
| --- | --: | --: | --: | --: | --: | --: |
${counts.join('\n')}

${tables.join('\n')}`
}
