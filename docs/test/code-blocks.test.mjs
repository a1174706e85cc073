// Every TypeScript block of every README and page compiles, each as a module of its own; every relative link leads somewhere.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

t.test('every relative link leads somewhere', async (t) => {
  for (const page of pages) {
    const text = readFileSync(join(root, page), 'utf8')
    for (const [, target] of text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)) {
      const file = join(root, dirname(page), target)
      t.ok(existsSync(file), `${page} → ${relative(root, file)}`)
    }
  }
})
