import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const hooks = new URL('../../../../scripts/tap-hooks.mjs', import.meta.url).href
const program = fileURLToPath(new URL('uncaught-program.js', import.meta.url))

t.test('an error that nobody caught fails the test that it came from, and no other', async (t) => {
  const run = (...flags: readonly string[]) =>
    spawnSync(process.execPath, [...flags, program], { encoding: 'utf8', env: { ...process.env, CI: '1' } })
  const points = ({ stdout }: { readonly stdout: string }) =>
    Array.from(stdout.matchAll(/^ *(?:not )?ok \d+ - .*?(?= *(?:#|\{|$))/gm), ([point]) => point)
  const ours = run(`--import=${hooks}`)
  t.same(points(ours), [
    '    not ok 1 - thrown in a timer',
    'not ok 1 - in a timer',
    '    not ok 1 - rejected and not handled',
    'not ok 2 - in a promise',
    '        not ok 1 - thrown inside',
    '    not ok 1 - inside',
    '    ok 2 - goes on',
    'not ok 3 - outside',
    '    ok 1 - as ever',
    'ok 4 - nothing is thrown here',
    // Of tests that went on after they had failed tap tells once more.
    'not ok 5 - in a timer',
    'not ok 6 - in a promise'
  ])
  t.same(points(ours), points(run()), 'as it is without our hooks')
  t.equal(ours.status, 1)
})
