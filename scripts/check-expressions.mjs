// Checks that the time of every regular expression in `packages/*/src` grows with the length of the text at most (CWE-1333).
// What is not safe is in unsafe-expressions.json, with the source of its text and the longest one.
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'

const root = fileURLToPath(new URL('..', import.meta.url))
const list = 'scripts/unsafe-expressions.json'
const cacheFile = join(root, 'node_modules/.cache/postern/expressions.json')

/** Without limits on time, the result does not depend on the machine; five minutes mean that there is none. */
const parameters = { timeout: 300_000, incubationTimeout: null, attackTimeout: null }

/** @returns {{ literals: readonly { place: string, expression: string }[], built: readonly string[] }} */
export function getExpressions(file, text) {
  // TypeScript 7 has no interface for scripts; the documentation's tools bring one that has.
  const ts = createRequire(join(root, 'docs/package.json'))('typescript')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const [literals, built] = [[], []]
  const visit = (node) => {
    const place = () => `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
    if (ts.isRegularExpressionLiteral(node)) literals.push({ place: place(), expression: node.text })
    const isCall = ts.isNewExpression(node) || ts.isCallExpression(node)
    if (isCall && node.expression.getText() === 'RegExp') built.push(place())
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { literals, built }
}

/** Loads modules, and returns the expressions that they build meanwhile, by place. */
async function getBuilt(places) {
  const found = new Map()
  const original = globalThis.RegExp
  const record = (expression) => {
    const { stack = '' } = new Error('where an expression is built')
    const place = places.find((one) => stack.includes(`${pathToFileURL(join(root, one))}:`))
    if (place) found.set(place, String(expression))
    return expression
  }
  globalThis.RegExp = new Proxy(original, {
    construct: (target, args) => record(Reflect.construct(target, args)),
    apply: (target, self, args) => record(Reflect.apply(target, self, args))
  })
  try {
    for (const file of new Set(places.map((place) => place.replace(/:\d+$/, ''))))
      await import(pathToFileURL(join(root, file)).href)
  } finally {
    globalThis.RegExp = original
  }
  return found
}

/**
 * Compares what is not safe with the list.
 *
 * @param {ReadonlyMap<string, { places: readonly string[], result: string }>} checked - By expression; `safe` is no finding.
 * @param {readonly { expression: string, files: readonly string[], suppliedBy: string, maxLength: number }[]} listed
 * @returns {readonly string[]} A line for each difference.
 */
export function getDifferences(checked, listed) {
  const unsafe = [...checked].filter(([, { result }]) => result !== 'safe')
  const fileOf = (place) => place.replace(/:\d+$/, '')
  const isListed = (expression, place) =>
    listed.some((entry) => entry.expression === expression && entry.files.includes(fileOf(place)))
  const isThere = (expression, file) =>
    unsafe.some(([other, { places }]) => other === expression && places.some((place) => fileOf(place) === file))
  return [
    ...unsafe.flatMap(([expression, { places, result }]) =>
      places
        .filter((place) => !isListed(expression, place))
        .map((place) => `${place} ${expression}: ${result}; make it linear, or list it in ${list}`)
    ),
    ...listed.flatMap(({ expression, files }) =>
      files
        .filter((file) => !isThere(expression, file))
        .map((file) => `${list}: ${file} has no unsafe ${expression}; remove the entry`)
    ),
    ...listed
      .filter(({ suppliedBy, maxLength }) => !suppliedBy || !Number.isSafeInteger(maxLength))
      .map(({ expression }) => `${list}: expected suppliedBy and maxLength of ${expression}`)
  ]
}

/** @returns {string} `safe`, or what is known instead. */
function check(expression) {
  process.env.RECHECK_SYNC_BACKEND = 'pure'
  const { checkSync } = createRequire(import.meta.url)('recheck')
  const end = expression.lastIndexOf('/')
  const { status, complexity, error } = checkSync(expression.slice(1, end), expression.slice(end + 1), parameters)
  return status === 'safe' ? status : (complexity?.summary ?? `${status} (${error?.kind})`)
}

/** Checks expressions in as many threads as there are cores. @returns {Promise<Map<string, string>>} */
async function checkAll(expressions) {
  const results = new Map()
  const waiting = [...expressions]
  const threads = Math.min(availableParallelism(), waiting.length)
  const work = () =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL(import.meta.url))
      const next = () => (waiting.length > 0 ? worker.postMessage(waiting.pop()) : void worker.terminate())
      worker.on('message', ([expression, result]) => {
        results.set(expression, result)
        next()
      })
      worker.on('error', reject).on('exit', resolve)
      next()
    })
  await Promise.all(Array.from({ length: threads }, work))
  return results
}

/** The expressions that this version of the checker found safe before; none in a new clone. */
function readCache(version) {
  try {
    const cached = JSON.parse(readFileSync(cacheFile, 'utf8'))
    return new Set(cached.version === version ? cached.safe : [])
  } catch {
    return new Set()
  }
}

function writeCache(version, safe) {
  mkdirSync(dirname(cacheFile), { recursive: true })
  writeFileSync(cacheFile, JSON.stringify({ version, safe }))
}

async function main() {
  const places = new Map()
  const add = (expression, place) => places.set(expression, [...(places.get(expression) ?? []), place])
  const built = []
  const files = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root }).sort()
  for (const file of files.filter((name) => !name.startsWith('packages/testkit/'))) {
    const found = getExpressions(file, readFileSync(join(root, file), 'utf8'))
    for (const { expression, place } of found.literals) add(expression, place)
    built.push(...found.built)
  }
  const expressions = await getBuilt(built)
  for (const [place, expression] of expressions) add(expression, place)
  const { version } = createRequire(import.meta.url)('recheck/package.json')
  const key = `${version} ${JSON.stringify(parameters)}`
  const cached = readCache(key)
  const results = await checkAll([...places.keys()].filter((expression) => !cached.has(expression)))
  const checked = new Map([...places].map(([one, at]) => [one, { places: at, result: results.get(one) ?? 'safe' }]))
  writeCache(
    key,
    [...checked].filter(([, { result }]) => result === 'safe').map(([expression]) => expression)
  )
  const differences = [
    ...getDifferences(checked, JSON.parse(readFileSync(join(root, list), 'utf8'))),
    ...built
      .filter((place) => !expressions.has(place))
      .map((place) => `${place}: build the expression when the module is loaded, so that it can be checked`)
  ]
  console.log(
    `expressions: ${checked.size} in ${[...places.values()].flat().length} places, ${results.size} checked now`
  )
  for (const difference of differences) console.log(`  ${difference}`)
  process.exitCode = differences.length === 0 ? 0 : 1
}

if (!isMainThread && parentPort)
  parentPort.on('message', (expression) => parentPort.postMessage([expression, check(expression)]))
else if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
