// Finds words that documents must not contain, prints each place, and fails if there is one.
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Each word with a better one. Only words that good technical English does not need. */
const words = {
  'all the same': 'anyway',
  anew: 'again',
  'by now': 'already',
  colour: 'color',
  colours: 'colors',
  behaviour: 'behavior',
  behaviours: 'behaviors',
  'e-mail': 'email',
  'e-mails': 'emails',
  'for good': 'permanently',
  lest: 'so that … not',
  licence: 'license',
  licences: 'licenses',
  mend: 'fix',
  mended: 'fixed',
  mending: 'fixing',
  mends: 'fixes',
  misspelt: 'misspelled, or "unknown name"',
  normalisation: 'normalization',
  normalise: 'normalize',
  normalised: 'normalized',
  'nobody asks': 'name the component that does not depend on it',
  'of ours': 'name the package',
  serialisation: 'serialization',
  'signed token': 'JWT session: the token is encrypted',
  'signed tokens': 'JWT sessions: the tokens are encrypted',
  'signed-token': 'JWT: the token is encrypted',
  teller: 'emitter',
  'tells apart': 'distinguishes',
  told: 'reported, notified, or the name of the value',
  'told apart': 'distinguished',
  'who came': 'the user who signed in, or the client',
  whoever: 'the user, the caller, or the component'
}

/** Groups of files, and how to get their prose. */
const groups = [
  {
    name: 'documents',
    globs: ['*.md', 'docs/*.md', 'packages/*/*.md', 'examples/*/README.md'],
    exclude: [],
    prose: proseOfMarkdown
  },
  {
    name: 'comments and messages',
    globs: ['packages/*/src/**/*.{ts,tsx}', 'examples/*/src/**/*.ts'],
    // Texts in other languages have words that look the same.
    exclude: globSync(
      ['packages/pages/src/texts/{de,de-informal,fr,it,nl,pl,pt}.ts', 'packages/core/src/features/account-mails.ts'],
      { cwd: root }
    ),
    prose: proseOfSource
  },
  {
    name: 'tests and scripts',
    globs: ['packages/*/test/**/*.{ts,tsx}', 'examples/*/test/**/*.{ts,tsx}', 'scripts/**/*.mjs', 'docs/test/*.mjs'],
    // These name the words.
    exclude: ['scripts/check-prose.mjs', 'docs/test/generated.test.mjs'],
    prose: proseOfSource
  }
]

const pattern = new RegExp(
  `(?<![\\p{L}\\p{N}_])(?:${Object.keys(words)
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replaceAll(' ', '\\s+'))
    .join('|')})(?![\\p{L}\\p{N}_])`,
  'giu'
)

/** Replaces text by spaces, so that positions and lines stay the same. */
const blank = (text) => text.replaceAll(/[^\n]/g, ' ')
/** Code, the targets of links, and addresses. */
const quoted = /`[^`]*`|\]\([^)\n]*\)|<?https?:\/\/[^\s>)]*>?/g

/** @returns {string} The document without code and links. */
export function proseOfMarkdown(text) {
  return text.replaceAll(/^[ \t]*```[\s\S]*?^[ \t]*```/gm, blank).replaceAll(quoted, blank)
}

/** @returns {string} The comments and the texts of a module, without names, imports and code in backticks. */
export function proseOfSource(text, file) {
  // TypeScript 7 has no API for scripts, so use the version of the documentation's tools.
  const ts = createRequire(join(root, 'docs/package.json'))('typescript')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const ranges = []
  const visit = (node) => {
    const comments = ts.getLeadingCommentRanges(text, node.pos) ?? []
    for (const { pos, end } of [...comments, ...(ts.getTrailingCommentRanges(text, node.end) ?? [])])
      ranges.push([pos, end])
    const isText = ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node)
    const isName = ts.isImportDeclaration(node.parent ?? node) || ts.isLiteralTypeNode(node.parent ?? node)
    // A text of one word is a name.
    if (isText && !isName && /\s/.test(node.text)) ranges.push([node.getStart(source) + 1, node.end - 1])
    ts.forEachChild(node, visit)
  }
  visit(source)
  ts.forEachChild(source.endOfFileToken, visit)
  const prose = [...blank(text)]
  for (const [from, to] of ranges) for (let at = from; at < to; at++) prose[at] = text[at]
  return prose.join('').replaceAll(quoted, blank)
}

/**
 * Finds the words in one text.
 *
 * @returns {readonly { line: number, word: string }[]}
 */
export function wordsIn(prose) {
  return [...prose.matchAll(pattern)].map((match) => ({
    line: prose.slice(0, match.index).split('\n').length,
    word: match[0].toLowerCase().replaceAll(/\s+/g, ' ')
  }))
}

/** @returns {readonly string[]} The places of a group. */
function findMatches({ globs, exclude, prose }) {
  const files = globSync(globs, { cwd: root, exclude: (name) => name === 'node_modules' }).sort()
  return files
    .filter((file) => !exclude.includes(file))
    .flatMap((file) =>
      wordsIn(prose(readFileSync(join(root, file), 'utf8'), file)).map(
        ({ line, word }) => `${file}:${line} "${word}": write ${words[word]}`
      )
    )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const group of groups) {
    const matches = findMatches(group)
    console.log(`prose: ${String(matches.length).padStart(4)} words to replace in ${group.name}`)
    for (const place of matches) console.log(`  ${place}`)
    if (matches.length > 0) process.exitCode = 1
  }
}
