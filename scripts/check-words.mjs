// Checks names against the glossary of CONTRIBUTING.md: it has at most twelve words, each is in the file that it names as its source,
// and no declared name or file name uses a word that the glossary replaces, or another meaning of one of its words.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const maxWords = 12

/** Parts of names, in lower case with spaces between them, and what to write instead. */
const replaced = [
  [
    /\bclaim (user|account|scope|cookies)\b|\b(is|on|un|to) claim\b|\b(un)?claim(ed|ing|ant)\b/,
    'reclaim: a claim is one of a token'
  ],
  [/\b(take|took) ?over\b/, 'reclaim'],
  [/\b(security )?stamp\b/, 'version'],
  [/\bdemands? (version|row)\b/, 'require'],
  [/\bemergency\b/, 'forced'],
  [/\b(challenge|interrupt) step\b|\bstep interruption\b/, 'interruption'],
  [/\b(voucher|pending row)\b/, 'ticket'],
  [/\b(attestation|approval) row\b|\bevidences\b/, 'evidence'],
  [/\b(remembered|familiar|recognized) (device|browser)\b/, 'known device'],
  [/\b(impersonator|masquerader)\b/, 'actor'],
  [/\b(told|teller|mend|wish|namesake|whoever|unseal|sealed)\b/, 'the word of CONTRIBUTING.md']
]

/** @returns {readonly { word: string, source: string }[]} The rows of the glossary. */
export function readGlossary(text) {
  const [, section = ''] = /\n## Glossary\n([\s\S]*?)(?=\n## |$)/.exec(text) ?? []
  return [...section.matchAll(/^\| ([a-z][^|]*?) \| [^|]+ \| `([^`]+)` \|$/gm)].map(([, word, source]) => ({
    word,
    source
  }))
}

/** @returns {string} The parts of a name: `isKnownDevice` is `is known device`. */
const toParts = (name) =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[^A-Za-z\d]+/g, ' ')
    .toLowerCase()
    .trim()

/** @returns {string | null} What to write instead of a name; `null` if it is fine. */
export function findReplacement(name) {
  const parts = toParts(name)
  return replaced.find(([pattern]) => pattern.test(parts))?.[1] ?? null
}

/** @returns {readonly { name: string, line: number }[]} The names that a module declares. */
export function declaredNames(text, file) {
  // TypeScript 7 has no API for scripts, so use the version of the documentation's tools.
  const ts = createRequire(join(root, 'docs/package.json'))('typescript')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const names = []
  const visit = (node) => {
    const { name } = node
    // A binding that takes a property has the name of others.
    const isOwn = name && !ts.isImportSpecifier(node) && !ts.isPropertyAccessExpression(node)
    if (isOwn && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)))
      names.push({ name: name.text, line: source.getLineAndCharacterOfPosition(name.pos).line + 1 })
    ts.forEachChild(node, visit)
  }
  visit(source)
  return names
}

function checkGlossary() {
  const rows = readGlossary(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'))
  const problems = []
  if (rows.length === 0 || rows.length > maxWords) problems.push(`expected 1 to ${maxWords} words, got ${rows.length}`)
  for (const { word, source } of rows) {
    const path = join(root, 'packages', source)
    const stem = word.split(' ').at(-1)
    if (rows.filter((row) => row.word === word).length > 1) problems.push(`"${word}" has two meanings`)
    if (!existsSync(path)) problems.push(`"${word}": there is no ${source}`)
    else if (!readFileSync(path, 'utf8').toLowerCase().includes(stem)) problems.push(`"${word}" is not in ${source}`)
  }
  return problems
}

function checkNames() {
  const files = globSync(['packages/*/src/**/*.{ts,tsx}', 'examples/*/src/**/*.ts'], { cwd: root }).sort()
  return files.flatMap((file) => {
    const own = findReplacement(basename(file).replace(/\.\w+$/, ''))
    const declared = declaredNames(readFileSync(join(root, file), 'utf8'), file).flatMap(({ name, line }) => {
      const better = findReplacement(name)
      return better ? [`${file}:${line} ${name}: write ${better}`] : []
    })
    return own ? [`${file}: write ${own}`, ...declared] : declared
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = [...checkGlossary().map((problem) => `CONTRIBUTING.md, glossary: ${problem}`), ...checkNames()]
  console.log(`words: ${problems.length} names or words of the glossary to change`)
  for (const problem of problems) console.log(`  ${problem}`)
  if (problems.length > 0) process.exitCode = 1
}
