// Every TypeScript block of every README and page compiles, each as a module of its own; what is a whole program runs;
// every relative link leads somewhere.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const docs = fileURLToPath(new URL('..', import.meta.url))
const root = dirname(docs.replace(/\/$/, ''))
const pages = globSync(['*.md', 'docs/*.md', 'packages/*/README.md', 'examples/*/README.md'], { cwd: root })

/** The code of each fenced block of these languages, with the line it begins at. */
function blocksOf(page) {
  const lines = readFileSync(join(root, page), 'utf8').split('\n')
  const blocks = []
  let open = null
  for (const [index, line] of lines.entries()) {
    const fence = /^```(\w*)/.exec(line)
    if (fence && !open) open = { language: fence[1], line: index + 2, code: [] }
    else if (fence) {
      blocks.push({ ...open, page, code: open.code.join('\n') })
      open = null
    } else open?.code.push(line)
  }
  return blocks.filter(({ language }) => language === 'ts' || language === 'tsx')
}

/** Compiles a folder of modules as an application would. @returns What the compiler says. */
function compile(folder, files) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, code] of files) writeFileSync(join(folder, name), code)
  const options = {
    target: 'es2023',
    lib: ['es2023', 'dom'],
    module: 'nodenext',
    jsx: 'react-jsx',
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    moduleDetection: 'force'
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*'] }))
  // tap gives every child of a test its own loader, which the compiler cannot live with.
  const tsc = ['-u', 'NODE_OPTIONS', join(root, 'node_modules/.bin/tsc'), '-p', folder]
  const { status, stdout, stderr } = spawnSync('env', tsc, { encoding: 'utf8' })
  return { status, stdout: stdout + stderr }
}

const blocks = pages.flatMap(blocksOf)

t.test('every code block compiles', async (t) => {
  t.ok(blocks.length >= 5, `${blocks.length} blocks in ${pages.length} pages`)
  const names = blocks.map(({ page, line, language }) => `${page.replaceAll(/[^A-Za-z]/g, '-')}-${line}.${language}`)
  const { status, stdout } = compile(
    join(docs, 'build/blocks'),
    blocks.map(({ code }, index) => [names[index], code])
  )
  t.equal(status, 0, stdout)
})

t.test('a block that does not compile is told', async (t) => {
  const { status, stdout } = compile(join(docs, 'build/broken'), [
    ['broken.ts', "import postern from '@postern/fastify'\npostern.nothing"]
  ])
  t.not(status, 0)
  t.match(stdout, /broken\.ts/)
})

/** A port that nobody listens at. */
async function freePort() {
  const server = createServer()
  const port = await new Promise((resolve) => server.listen(0, () => resolve(server.address().port)))
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Starts a program, asks it for its sign-in page and its session, and ends it. */
async function visit(file, port) {
  const settings = {
    AUTH_SECRET: 'a secret of the tests, 32 characters or more',
    AUTH_GITHUB_ID: 'id',
    AUTH_GITHUB_SECRET: 'secret',
    EMAIL_SERVER: 'smtp://127.0.0.1:2525'
  }
  const env = { ...process.env, ...settings, NODE_OPTIONS: '' }
  const child = spawn(process.execPath, [file], { cwd: dirname(file), env })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  const ask = async (path) => {
    const response = await fetch(`http://localhost:${port}${path}`)
    return { status: response.status, body: await response.text() }
  }
  try {
    const until = Date.now() + 30_000
    while (child.exitCode === null && Date.now() < until) {
      const page = await ask('/api/auth/signin').catch(() => null)
      if (page) return { page, session: await ask('/api/auth/session'), said }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    return { page: null, session: null, said }
  } finally {
    child.kill()
  }
}

const programs = blocks.filter(({ code, language }) => language === 'ts' && code.includes('app.listen({ port: 3000 })'))

t.test('every program runs, and has a sign-in page', async (t) => {
  t.ok(programs.length >= 6, `${programs.length} programs`)
  const folder = join(docs, 'build/programs')
  rmSync(folder, { recursive: true, force: true })
  for (const { page: name, line, code } of programs) {
    const port = await freePort()
    const file = join(folder, `${name.replaceAll(/[^A-Za-z]/g, '-')}-${line}`, 'app.mts')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, code.replaceAll('3000', String(port)))
    const { page, session, said } = await visit(file, port)
    t.equal(page?.status, 200, `${name}:${line} ${said}`)
    t.match(page?.body, /<form/, `${name}:${line}: the page has a way in`)
    t.same(session, { status: 200, body: '{}' }, `${name}:${line}: nobody is signed in`)
    t.notMatch(said, /Warning:/, `${name}:${line}: nothing is warned of`)
  }
})

/** The anchors of a page, as GitHub makes them of headings. */
function anchorsOf(text) {
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
        t.ok(anchorsOf(readFileSync(file, 'utf8')).includes(anchor), `${page} → ${relative(root, file)}#${anchor}`)
    }
  }
})

t.test('the index of the documentation names every page', async (t) => {
  const index = readFileSync(join(docs, 'README.md'), 'utf8')
  for (const page of globSync('*.md', { cwd: docs }).filter((name) => name !== 'README.md'))
    t.ok(index.includes(`](${page})`), page)
})
