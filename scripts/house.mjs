// Counts what the style forbids in `packages/*/src`, prints the counts, and fails if one is not allowed.
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
// TypeScript 7 has no interface for scripts; the documentation's tools bring one that has.
const ts = createRequire(join(root, 'docs/package.json'))('typescript')

const longestFunction = 50
const mostParameters = 4
/** A function that lists the texts of a language is as long as the list. */
const texts = /\/texts\//
const kinds = /\/(utils?|helpers?|common|shared|misc|lib)\//

/** Every line counts, the empty ones too. */
const getLines = (text) => text.trimEnd().split('\n').length

function isFunction(node) {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isMethodDeclaration(node)
  )
}

/** Everything that is called with arguments: functions, constructors, and their types. */
function isCallable(node) {
  return (
    isFunction(node) || ts.isConstructorDeclaration(node) || ts.isFunctionTypeNode(node) || ts.isMethodSignature(node)
  )
}

/**
 * Looks one file over.
 *
 * @returns {Record<string, readonly string[]>} Where each kind of finding is.
 */
export function getFindings(file, text) {
  const found = {
    functions: [],
    parameters: [],
    any: [],
    parsed: [],
    nonNull: [],
    suppressions: [],
    casts: [],
    folders: []
  }
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const at = (node) => `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
  const visit = (node) => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) found.any.push(at(node))
    if (ts.isTypeQueryNode(node) && node.exprName.getText() === 'JSON.parse') found.parsed.push(at(node))
    if (ts.isNonNullExpression(node) || node.exclamationToken) found.nonNull.push(at(node))
    const isCast = ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)
    if (isCast && !ts.isConstTypeReference(node.type)) found.casts.push(at(node))
    if (isFunction(node) && !texts.test(file) && getLines(node.getText()) > longestFunction)
      found.functions.push(at(node))
    if (isCallable(node) && node.parameters.length > mostParameters) found.parameters.push(at(node))
    ts.forEachChild(node, visit)
  }
  visit(source)
  for (const [index, line] of text.split('\n').entries())
    if (/(biome|eslint|prettier)-(ignore|disable)|@ts-(ignore|expect-error|nocheck)|(c8|v8|istanbul) ignore/.test(line))
      found.suppressions.push(`${file}:${index + 1}`)
  if (kinds.test(file)) found.folders.push(file)
  return found
}

const meanings = {
  functions: `functions of more than ${longestFunction} lines`,
  parameters: `functions of more than ${mostParameters} parameters`,
  any: '`any`',
  parsed: 'types that are what `JSON.parse` returns, which is `any` too',
  nonNull: 'non-null `!`',
  suppressions: 'suppressions',
  folders: 'files in folders named for a kind of thing',
  casts: '`as` casts, `as const` excepted'
}
/**
 * Counted, so that it does not grow unnoticed: casts where there is no type guard to be had, and parameters of callbacks
 * that next-auth v4 types as `any`, so that what was written for it compiles.
 */
const allowed = { casts: 9, parsed: 1 }

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root }).sort()
  const all = files.map((file) => getFindings(file, readFileSync(join(root, file), 'utf8')))
  console.log(`house: ${files.length} files in packages/*/src`)
  let isClean = true
  for (const [kind, meaning] of Object.entries(meanings)) {
    const places = all.flatMap((found) => found[kind])
    const isTooMany = places.length > (allowed[kind] ?? 0)
    console.log(
      `house: ${String(places.length).padStart(3)} ${meaning}${isTooMany ? `\n  ${places.join('\n  ')}` : ''}`
    )
    if (isTooMany) isClean = false
  }
  process.exit(isClean ? 0 : 1)
}
