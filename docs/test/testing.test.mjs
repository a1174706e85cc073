// The tests in the pages run with the application of the same page, with the runner that the page names.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { inTurn } from '@postern/testkit/long'
import t from 'tap'
import { blocks, docs, getName, pages, root, settings } from './blocks.mjs'
import { compile } from './compile.mjs'

const isTest = ({ file }) => file?.includes('.test.') ?? false
const folder = join(docs, 'build/testing')

/** The modules of a page that a reader saves, in one folder. */
const saved = pages
  .map((page) => blocks.filter((block) => block.page === page && block.file && block.language === 'ts'))
  .filter((files) => files.some(isTest))

const getFolderName = ({ page }) => page.replaceAll(/[^A-Za-z]/g, '-')

/** Runs the command of a block as a reader does, in the folder of the page's files. */
async function run(block) {
  const [, assignments, words] = /^((?:\w+=\S+ )*)(?:npx )?(.*)$/.exec(block.command)
  const given = assignments.split(' ').filter(Boolean)
  const bins = [join(docs, 'node_modules/.bin'), join(root, 'node_modules/.bin')]
  const env = { ...process.env, ...settings, PATH: [...bins, process.env.PATH].join(':') }
  for (const name of Object.keys(env)) if (/^(TAP|VITEST|NODE_TEST)/.test(name)) delete env[name]
  const cwd = join(folder, getFolderName(block))
  const child = spawn('env', [...given, ...words.split(' '), block.file], { cwd, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const code = await new Promise((resolve) => child.once('close', resolve))
  return { code, output }
}

t.test('the tests of the pages compile with the application of their page', async (t) => {
  t.same(
    saved.map((files) => files.map(({ file }) => file)),
    [
      ['app.mts', 'app.test.mts'],
      ['create-app.mts', 'guards.test.mts', 'mails.test.mts', 'time.test.mts']
    ]
  )
  const files = saved.flat().map((block) => [join(getFolderName(block), block.file), block.code])
  // Each folder is a reader's project: the runners look for these files.
  const settings = {
    'package.json': { type: 'module' },
    'tsconfig.json': { compilerOptions: { module: 'nodenext', target: 'es2023' } }
  }
  const projects = saved.flatMap(([block]) =>
    Object.entries(settings).map(([name, value]) => [join(getFolderName(block), name), JSON.stringify(value)])
  )
  const { status, stdout } = compile(folder, [...files, ...projects])
  t.equal(status, 0, stdout)
})

const tests = saved.flat().filter(isTest)
const usesNode = ({ command }) => command.endsWith('node --test')
const others = inTurn(tests.filter((block) => !usesNode(block)))

for (const block of [...tests.filter(usesNode), ...others()]) {
  t.test(`${getName(block)}: ${block.command}`, async (t) => {
    const { code, output } = await run(block)
    t.equal(code, 0, output)
    for (const [, title] of block.code.matchAll(/\btest\('([^']+)'/g)) t.ok(output.includes(title), title)
  })
}
