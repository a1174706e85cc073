// What is made of the source is what the source says now, and what the repository says of itself holds.
import { existsSync, globSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isLong } from '@postern/testkit/long'
import t from 'tap'
import { getComplaints as complaintsOfLog, getRefusal, hasNotesFor } from '../../scripts/changelog.mjs'
import { getDifferences, getExpressions } from '../../scripts/check-expressions.mjs'
import { unexplained } from '../../scripts/docs/options.mjs'
import { getFindings } from '../../scripts/house.mjs'
import { getLicences, unwanted } from '../../scripts/licences.mjs'
import { getComplaints } from '../../scripts/rehearse/tarballs.mjs'
import { writeApi } from '../../scripts/write-api.mjs'
import { written } from '../../scripts/write-docs.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const text = (file) => readFileSync(join(root, file), 'utf8')
const manifests = readdirSync(join(root, 'packages')).map((name) => JSON.parse(text(`packages/${name}/package.json`)))
const published = manifests.filter(({ private: isPrivate }) => !isPrivate)

for (const [file, make] of Object.entries(written)) {
  t.test(`${file} is what the source says: pnpm docs:write`, async (t) => {
    t.equal(await make(), text(file))
  })
}

t.test('every option is explained', async (t) => {
  t.same(unexplained(), [])
})

// typedoc compiles every package once more.
if (isLong) {
  t.test('the reference of every exported name is made, and its links lead somewhere', async (t) => {
    const folder = join(root, 'docs/build/reference')
    rmSync(folder, { recursive: true, force: true })
    t.equal(writeApi(folder), null)
    const pages = globSync('**/*.md', { cwd: folder })
    t.ok(pages.length >= 13, `${pages.length} pages`)
    for (const page of pages) {
      for (const [, target] of readFileSync(join(folder, page), 'utf8').matchAll(
        /\]\((?!https?:|mailto:|#)([^)#\s]+)/g
      )) {
        const file = join(folder, dirname(page), target)
        if (!existsSync(file)) t.fail(`${page} → ${relative(folder, file)}`)
      }
    }
    t.match(readFileSync(join(folder, 'core/src.md'), 'utf8'), /createPostern\(\)/)
  })
}

t.test('CONTRIBUTING answers its questions with files that are there', async (t) => {
  const rows = [...text('CONTRIBUTING.md').matchAll(/^\| ([^|]+\?) \|(.*)\|$/gm)]
  t.ok(rows.length >= 38, `${rows.length} questions`)
  for (const [, question, result] of rows) {
    const [, file = '', name = ''] = /^ `([\w./-]+)` \| (?:`(\w+)` )?$/.exec(result) ?? []
    const isThere = file !== '' && existsSync(join(root, 'packages', file))
    if (!t.ok(isThere, `${question} ${result}`)) continue
    if (file.endsWith('/')) t.equal(name, '', `${question} a folder has no names`)
    else t.ok(declares(text(`packages/${file}`), name), `${question} ${name} in ${file}`)
  }
})

/** @returns Whether a file declares a name that stands at the start of a line, as what others can find does. */
function declares(source, name) {
  const kinds = '(?:const|(?:async )?function|(?:abstract )?class|interface|type)'
  return name !== '' && new RegExp(`^(?:export )?${kinds} ${name}\\b`, 'm').test(source)
}

t.test('a name that a file does not declare is reported', async (t) => {
  const source =
    "import { a } from './a.ts'\nexport const b = a\nfunction c() {\n  const d = 1\n}\nexport class Ef {}\n"
  for (const name of ['b', 'c', 'Ef']) t.ok(declares(source, name), name)
  for (const name of ['', 'a', 'd', 'E', 'Efg']) t.notOk(declares(source, name), name)
})

t.test('the life of a request names files that exist', async (t) => {
  const files = [...text('docs/lifecycle.md').matchAll(/`([a-z-]+(?:\/[a-z-]+)*\.ts)`/g)].map(([, file]) => file)
  t.ok(files.length > 30, `${files.length} files`)
  for (const file of files) t.ok(existsSync(join(root, 'packages/core/src', file)), file)
})

t.test('the life of a request lists the kinds of tickets with their owners and lifetimes', async (t) => {
  const [, section = ''] = text('docs/lifecycle.md').split('\n## Tickets\n')
  const rows = [...section.matchAll(/^\| `([^|]+)` \| ([^|]+) \| ([^|]+) \|/gm)].map(([, ...cells]) => cells)
  const load = async (file) =>
    Object.values((await import(pathToFileURL(join(root, 'packages', file)).href)).ticketKinds)
  const kinds = [...(await load('core/dist/model/ticket-kinds.js')), ...(await load('account/dist/ticket-kinds.js'))]
  t.same(
    rows.map(([name, owners]) => [name, owners]),
    kinds.map(({ name, owner, features = [owner] }) => [name, features.map((one) => `\`${one}\``).join(', ')])
  )
  const lifetimes = { 600: '10 minutes', 3600: '1 hour' }
  for (const [index, { name, lifetime }] of kinds.entries())
    if (lifetime !== null) t.equal(rows[index]?.[2].split(';')[0], lifetimes[lifetime], name)
})

t.test('the packages move together, and the changelog tells of their version', async (t) => {
  const versions = new Set(published.map(({ version }) => version))
  t.equal(versions.size, 1, [...versions].join(', '))
  const log = text('CHANGELOG.md')
  t.ok(hasNotesFor(log, [...versions][0]))
  t.same(complaintsOfLog(log), [])
})

t.test('a version without a dated chapter cannot be published, and the workflow asks', async (t) => {
  const log = (...headings) =>
    [
      ...headings.map((heading) => `\n## ${heading}\n\n### Added\n`),
      '\n[Unreleased]: https://a.test\n[0.1.0]: https://a.test\n'
    ].join('')
  const refused = ['[Unreleased]', '[0.1.0]', '[0.1.0] - Unreleased', '[0.1.0] - 2026-02-30', '[0.1.1] - 2026-11-22']
  for (const heading of refused) t.match(getRefusal(log(heading), '0.1.0'), /expected ## \[0\.1\.0\]/, heading)
  t.equal(getRefusal(log('[Unreleased]', '[0.1.0] - 2026-11-22'), '0.1.0'), null)
  t.match(text('.github/workflows/release.yml'), 'node scripts/changelog.mjs "$version"')

  t.same(complaintsOfLog(log('[Unreleased]', '[0.1.0] - 2026-11-22')), [])
  for (const heading of [
    '0.1.0',
    '[0.1.0]',
    '[0.1.0] - Unreleased',
    '[0.1.0] - 2026-02-30',
    '[Unreleased] - 2026-11-22'
  ])
    t.equal(complaintsOfLog(log(heading)).length, 1, heading)
  t.equal(complaintsOfLog(log('[0.1.0] - 2026-11-22', '[Unreleased]')).length, 1, 'not first')
  t.equal(complaintsOfLog(log('[0.2.0] - 2026-11-22')).length, 1, 'no address')
  t.equal(complaintsOfLog(log('[0.1.0] - 2026-11-21', '[0.1.0] - 2026-11-22')).length, 1, 'the oldest first')
  t.equal(complaintsOfLog(`${log('[Unreleased]')}\n### News\n`).length, 1, 'another kind')
  t.notOk(hasNotesFor(log('[0.1.0] - 2026-11-22'), '0.2.0'))
})

t.test('the bars of the README are those of the benchmark, and its text states no other figure', async (t) => {
  const { scenarios } = JSON.parse(text('packages/bench/results/latest.json'))
  const guarded = scenarios.find(({ id }) => id === 'D').figures
  const shown = ['postern', 'next-auth', 'better-auth'].map((name) => {
    const { ratio } = guarded.find(({ subject }) => subject === name)
    return `${ratio.median < 10 ? ratio.median.toFixed(1) : ratio.median.toFixed(0)} times the CPU time`
  })
  t.same(text('docs/images/bench-bars.svg').match(/[\d.]+ times the CPU time/g), shown)
  t.match(text('README.md'), '(docs/images/bench-bars.svg)')
  t.notMatch(text('README.md'), /\d times the CPU time/)
})

t.test('what is installed with the packages asks for no more than to be named', async (t) => {
  const folders = published.map(({ name }) => join(root, 'packages', name.replace('@postern/', '')))
  t.same(unwanted(getLicences(folders)), [])
  t.same(unwanted([{ name: 'a', version: '1', license: 'GPL-3.0' }]).length, 1)
})

t.test('a tarball with something that is not meant, missing or stale is reported', async (t) => {
  const manifest = {
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    imports: { '#texts/*': './src/texts/*' }
  }
  const texts = 'src/texts/de.json'
  const good = ['package.json', 'README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts', 'src/index.ts', texts]
  const complaints = (files) =>
    getComplaints(
      files.map((file) => `package/${file}`),
      manifest
    )
  t.same(complaints(good), [])
  t.match(complaints([...good, 'dist/.tsbuildinfo']), [/not meant to be there/])
  t.match(complaints(good.filter((file) => file !== 'LICENSE')), [/missing: package\/LICENSE/])
  t.match(complaints(good.filter((file) => file !== texts)), [/missing: package\/src\/texts\/\*/])
  t.match(complaints([...good, 'dist/old.js']), [/built from no source/])
  t.same(complaints([...good, 'dist/bundle/index.js', 'dist/bundle/shared/A1.js']), [])
  t.match(complaints([...good, 'dist/bundle/old.js']), [/built from no source/])
})

t.test('what the style forbids is found', async (t) => {
  const long = `export function f(): void {\n${'  g()\n'.repeat(51)}}\n`
  const found = getFindings(
    'packages/core/src/utils/a.ts',
    `${long}const a: any = b!\n// @ts-expect-error\nconst c = d as E\nconst e = [1] as const\ntype F = ReturnType<typeof JSON.parse>\ntype G = (a: 1, b: 1, c: 1, d: 1, e: 1) => void\n${'f()\n\n'.repeat(75)}`
  )
  for (const [kind, places] of Object.entries(found)) t.equal(places.length, 1, kind)
  const factory = `function f() {\n  return {\n${'    g() {\n      h()\n    },\n'.repeat(16)}  }\n}\n`
  t.same(getFindings('packages/core/src/a.ts', factory).functions.length, 1, 'a factory’s methods count with it')
})

t.test('every regular expression of a module is found, literal or built', async (t) => {
  const source =
    "const a = /a+$/u\nconst b = 4 / 2 / 1\nconst c = new RegExp('^' + 'a')\nconst d = RegExp('a')\nf('/a/')\n"
  t.same(getExpressions('a.ts', source), {
    literals: [{ place: 'a.ts:1', expression: '/a+$/u' }],
    built: ['a.ts:3', 'a.ts:4']
  })
})

t.test(
  'an expression that is not linear is in the list, with its file, source and length; and nothing else is',
  async (t) => {
    const checked = new Map([
      ['/a+$/', { places: ['a.ts:1', 'b.ts:2'], result: '2nd degree polynomial' }],
      ['/a/', { places: ['a.ts:3'], result: 'safe' }]
    ])
    const entry = { expression: '/a+$/', files: ['a.ts', 'b.ts'], suppliedBy: 'the application', maxLength: 300 }
    const about = (listed) => getDifferences(checked, listed).map((line) => line.split(' ', 2).join(' '))
    t.same(about([entry]), [])
    t.same(about([]), ['a.ts:1 /a+$/:', 'b.ts:2 /a+$/:'])
    t.same(about([{ ...entry, files: ['a.ts'] }]), ['b.ts:2 /a+$/:'])
    t.match(getDifferences(checked, [entry, { ...entry, expression: '/a/', files: ['a.ts'] }]), [/a\.ts has no unsafe/])
    t.match(getDifferences(checked, [{ ...entry, files: [...entry.files, 'c.ts'] }]), [/c\.ts has no unsafe/])
    t.match(getDifferences(checked, [{ ...entry, suppliedBy: '' }]), [/expected suppliedBy/])
  }
)
