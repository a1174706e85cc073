// Every module in the pages is compiled and run, and every link leads somewhere.
import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@postern/testkit'
import { isLong } from '@postern/testkit/long'
import { transform } from 'esbuild'
import t from 'tap'
import {
  beginMark,
  blocks,
  docs,
  endMark,
  getName,
  getSavedPath,
  lacks,
  pages,
  root,
  saved,
  settings,
  withDatabase
} from './blocks.mjs'
import { compile } from './compile.mjs'

/** Pages whose programs are run by tests of their own, with what they need around them. */
const withTests = ['docs/complete.md', 'docs/frameworks.md', 'docs/recipes.md']

/** The tests of the pages import the files beside them. They are compiled here, and `testing.test.mjs` runs them. */
const modules = blocks.filter(
  ({ page, language, code }) => /^tsx?$/.test(language) && !withTests.includes(page) && !code.includes("from './")
)

t.test('every module compiles, and one that does not is reported', async (t) => {
  t.ok(modules.length >= 40, `${modules.length} modules in ${pages.length} pages`)
  const broken = ['not-a-block.ts', "import postern from '@postern/fastify'\npostern.nothing"]
  const { status, stdout } = compile(join(docs, 'build/blocks'), [
    ...modules.map((block) => [`${getName(block)}.${block.language}`, block.code]),
    ...saved.flat().map((block) => [getSavedPath(block), block.code]),
    broken
  ])
  t.not(status, 0)
  const errors = stdout.split('\n').filter((line) => /error TS/.test(line))
  t.match(errors, [/not-a-block\.ts\(2,9\): error TS2339/])
  t.equal(errors.length, 1, stdout)
})

/** Starts a process of Node in the folder of its first file, and keeps what it says. */
function start(files, ...args) {
  const [cwd] = files.map(dirname)
  const child = spawn(process.execPath, [...args, ...files], { cwd, env: { ...process.env, ...settings } })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (said[name] += text))
  return { child, getOutput: () => `${said.stdout}\n${said.stderr}` }
}

/** Starts a program, asks it for its sign-in page and its session, and ends it. */
async function visit(file, port) {
  const running = start([file])
  const ask = async (path) => {
    const response = await fetch(`http://localhost:${port}${path}`)
    return { status: response.status, body: await response.text() }
  }
  try {
    const until = Date.now() + 30_000
    while (running.child.exitCode === null && Date.now() < until) {
      const page = await ask('/api/auth/signin').catch(() => null)
      if (page) return { page, session: await ask('/api/auth/session'), output: running.getOutput() }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    return { page: null, session: null, output: running.getOutput() }
  } finally {
    running.child.kill()
  }
}

/** Puts a block into a folder of its own. @returns Its file, which Node can run. */
async function writeProgram(folder, block, code = block.code) {
  const own = join(folder, getName(block))
  rmSync(own, { recursive: true, force: true })
  mkdirSync(own, { recursive: true })
  const isTsx = block.language === 'tsx'
  const file = join(own, isTsx ? 'app.mjs' : 'app.mts')
  writeFileSync(file, isTsx ? (await transform(code, { loader: 'tsx', jsx: 'automatic' })).code : code)
  return file
}

const isProgram = ({ code, language }) => language === 'ts' && code.includes('app.listen({ port: 3000 })')

t.test('every program runs, and has a sign-in page', async (t) => {
  const programs = modules.filter(isProgram)
  t.ok(programs.length >= 6, `${programs.length} programs`)
  // Each is a process: in `npm test`, every third one.
  for (const block of programs.filter((_, place) => isLong || place % 3 === 0)) {
    const where = `${block.page}:${block.line}`
    const port = await freePort()
    const file = await writeProgram(join(docs, 'build/programs'), block, block.code.replaceAll('3000', String(port)))
    const { page, session, output } = await visit(file, port)
    t.equal(page?.status, 200, `${where} ${output}`)
    t.match(page?.body, /<form/, `${where}: the page has a way in`)
    t.same(session, { status: 200, body: '{}' }, `${where}: nobody is signed in`)
    t.notMatch(output, /Warning:/, `${where}: nothing is warned of`)
  }
})

const driver = fileURLToPath(new URL('run-block.mjs', import.meta.url))

/** Runs the files of modules in one process to its end. @returns How it ended, and what it said. */
async function runFiles(files) {
  const running = start(files, driver)
  const timer = setTimeout(() => running.child.kill(), 60_000)
  const code = await new Promise((resolve) => running.child.once('close', resolve))
  clearTimeout(timer)
  return { code, output: running.getOutput() }
}

const server = 'postgres://localhost/app'
const writeModule = (block, address = server) =>
  writeProgram(join(docs, 'build/modules'), block, block.code.replaceAll(server, address))

/** Runs a module in a process of its own. */
async function run(block) {
  const go = async (address) => runFiles([await writeModule(block, address)])
  return block.code.includes(server) ? withDatabase(go) : go(server)
}

/** What a process said of one of its files: on each of its outputs between two marks. */
function outputOf(file, output) {
  const lines = output.split('\n')
  const isEnded = lines.filter((line) => line === endMark(file)).length === 2
  const starts = lines.flatMap((line, index) => (line === beginMark(file) ? [index + 1] : []))
  const parts = starts.map((from) => {
    const length = lines.slice(from).findIndex((line) => line.startsWith(endMark('')) || line.startsWith(beginMark('')))
    return lines.slice(from, length < 0 ? undefined : from + length).join('\n')
  })
  return { isEnded, output: parts.join('\n') }
}

/** Modules that change nothing outside of themselves, and reach no server. A component is rendered as on a server. */
const isPlain = ({ code, language }) =>
  !/ioredis|postgres:\/\/|process\.(?:on|exit)/.test(code) && (language === 'tsx' || !code.includes('@postern/react'))

const processes = isLong ? 2 : 1

t.test('every other module runs to its end', async (t) => {
  t.jobs = 3
  const others = modules.filter((block) => !isProgram(block))
  t.ok(others.length >= 35, `${others.length} modules`)
  const plain = others.filter(isPlain)
  for (let index = 0; index < processes; index++) {
    t.test(`modules of process ${index + 1}`, { buffered: true }, async (t) => {
      const own = plain.filter((_, place) => place % processes === index)
      const files = await Promise.all(own.map((block) => writeModule(block)))
      const { code, output } = await runFiles(files)
      t.equal(code, 0, output)
      for (const [place, block] of own.entries()) {
        t.test(`${block.page}:${block.line}`, async (t) => {
          const said = outputOf(files[place], output)
          t.ok(said.isEnded, said.output)
          t.notMatch(said.output, /Warning:/, 'nothing is warned of')
        })
      }
      t.notMatch(output, /Warning:/, 'nothing is warned of at the end')
    })
  }
  const separate = others.filter((block) => !isPlain(block))
  // Each is a process: in `npm test`, every third one.
  for (const block of separate.filter((_, place) => isLong || place % 3 === 0)) {
    t.test(`${block.page}:${block.line}`, { buffered: true, skip: await lacks(block) }, async (t) => {
      const { code, output } = await run(block)
      t.equal(code, 0, output)
      t.notMatch(output, /Warning:/, 'nothing is warned of')
    })
  }
})

t.test('a module that fails, has unusable exports or declares unknown names is reported', async (t) => {
  const made = (code) => run({ page: 'made', line: 1, language: 'ts', code })
  t.match(await made("throw new Error('no')"), { code: 1, output: /Error: no/ })
  t.match(await made('export const secret = 1'), { code: 1, output: /ConfigError/ })
  t.match(await made('declare const nobody: string\nconsole.log(nobody)'), { code: 1, output: /declared as nobody/ })
  const codes = ["console.log('one')", "process.emitWarning('two')", "throw new Error('three')", "console.log('four')"]
  const files = await Promise.all(
    codes.map((code, line) => writeModule({ page: 'together', line, language: 'ts', code }))
  )
  const { code, output } = await runFiles(files)
  t.equal(code, 1)
  t.match(
    files.map((file) => outputOf(file, output)),
    [
      { isEnded: true, output: /^one/ },
      { isEnded: true, output: /Warning: two/ },
      { isEnded: false, output: /Error: three/ },
      { isEnded: false, output: /^$/ }
    ]
  )
})

/** The anchors of a page, as GitHub makes them of headings. */
function getAnchors(text) {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading)
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
  )
}

t.test('every relative link leads somewhere, to a heading that is there', async (t) => {
  for (const page of pages) {
    const text = readFileSync(join(root, page), 'utf8')
    for (const [, target = '', anchor] of text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)/g)) {
      const file = target === '' ? join(root, page) : join(root, dirname(page), target)
      t.ok(existsSync(file), `${page} → ${relative(root, file)}`)
      if (anchor && existsSync(file) && file.endsWith('.md'))
        t.ok(getAnchors(readFileSync(file, 'utf8')).includes(anchor), `${page} → ${relative(root, file)}#${anchor}`)
    }
  }
})

t.test('the index of the documentation names every page', async (t) => {
  const index = readFileSync(join(docs, 'README.md'), 'utf8')
  for (const page of globSync('*.md', { cwd: docs }).filter((name) => name !== 'README.md'))
    t.ok(index.includes(`](${page})`), page)
})
