// The tests in the pages run with the application of the same page, with the runner that the page names.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { chromiumPath, withoutChromium } from '@postern/testkit/chromium'
import { inTurn } from '@postern/testkit/long'
import t from 'tap'
import { docs, getName, getSavedPath, root, saved, savedTests, settings } from './blocks.mjs'
import { writeFolder } from './compile.mjs'

const folder = join(docs, 'build/testing')

/** Runs the command of a block as a reader does, in the folder of the page's files. */
async function run(block) {
  const [, assignments, words] = /^((?:\w+=\S+ )*)(?:npx )?(.*)$/.exec(block.command)
  const given = assignments.split(' ').filter(Boolean)
  const bins = [join(docs, 'node_modules/.bin'), join(root, 'node_modules/.bin')]
  const env = { ...process.env, ...settings, PATH: [...bins, process.env.PATH].join(':') }
  for (const name of Object.keys(env)) if (/^(TAP|VITEST|NODE_TEST)/.test(name)) delete env[name]
  const cwd = join(folder, dirname(getSavedPath(block)))
  // Without a terminal, vitest names only tests that took more than 300 ms.
  const reporter = words.startsWith('vitest ') ? ['--reporter=verbose'] : []
  const child = spawn('env', [...given, ...words.split(' '), ...reporter, block.file], { cwd, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const code = await new Promise((resolve) => child.once('close', resolve))
  return { code, output }
}

t.test('the tests of the pages are saved beside the application of their page', async (t) => {
  t.same(
    saved.map((files) => files.map(({ file }) => file)),
    [
      ['app.mts', 'app.test.mts'],
      ['create-app.mts', 'guards.test.mts', 'mails.test.mts', 'browser.test.mts', 'time.test.mts']
    ]
  )
  const files = saved.flat().map((block) => [getSavedPath(block), block.code])
  // Each folder is a reader's project: the runners look for these files.
  // Playwright has no setting in the environment for the browser of this machine.
  const launchOptions = { executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu'] }
  const settings = {
    'package.json': JSON.stringify({ type: 'module' }),
    'playwright.config.mjs': `export default ${JSON.stringify({ reporter: 'list', use: { launchOptions } })}`,
    'tsconfig.json': JSON.stringify({ compilerOptions: { module: 'nodenext', target: 'es2023' } })
  }
  const projects = saved.flatMap(([block]) =>
    Object.entries(settings).map(([name, value]) => [join(dirname(getSavedPath(block)), name), value])
  )
  writeFolder(folder, [...files, ...projects])
})

const usesNode = ({ command }) => command.endsWith('node --test')
const others = inTurn(savedTests.filter((block) => !usesNode(block)))

for (const block of [...savedTests.filter(usesNode), ...others()]) {
  const skip = block.command.includes('playwright') && withoutChromium
  t.test(`${getName(block)}: ${block.command}`, { skip }, async (t) => {
    const { code, output } = await run(block)
    t.equal(code, 0, output)
    for (const [, title] of block.code.matchAll(/\btest\('([^']+)'/g)) t.ok(output.includes(title), title)
  })
}
