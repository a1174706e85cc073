import { parseArgs } from 'node:util'
import { runAll } from './commands/all.ts'
import { runCheck } from './commands/check.ts'
import { runCompare } from './commands/compare.ts'
import { runConcurrency } from './commands/concurrency.ts'
import { runFeatures } from './commands/features.ts'
import { runFlood } from './commands/flood.ts'
import { runInstall } from './commands/install.ts'
import { runKeep } from './commands/keep.ts'
import { runMicro } from './commands/micro.ts'
import { runPairs } from './commands/pairs.ts'
import { runProfile } from './commands/profile.ts'
import { runScale } from './commands/scale.ts'

const usage = `pnpm bench                     everything but the slow parts, under two minutes (--quick)
pnpm bench --long              the real figures: longer warm-up and slices
pnpm bench --only A,D,I        some parts; writes nothing
pnpm bench --long --only K,memory  a million rows, a million requests; writes them
pnpm bench --with postern      only this library beside the floor; writes nothing
pnpm bench --check             Postern beside the kept figures; fails where a job is slower
pnpm bench --keep              measures the figures of --check, and writes those that are lower
pnpm bench install             packages and megabytes
pnpm bench pairs [80]          starts of Postern and Auth.js in turn
pnpm bench micro [--save]      the hot functions, beside the kept figures
pnpm bench scale sqlite        a session and sign-ins beside 10 000, 100 000 and a million users; or postgres
pnpm bench flood [10] [10000]  sign-ins beside refusals: seconds, and refusals a second
pnpm bench compare ../other    CPU time of each job beside the build of another checkout (--only, --long)
pnpm bench concurrency ../other [postgres]  sign-ins per second beside the build of another checkout; or mysql
pnpm bench features ../other [31]  starts with all features beside those of another checkout
pnpm bench profile A           a CPU profile of Postern in a scenario (I: of its start)
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean' },
    long: { type: 'boolean' },
    only: { type: 'string' },
    with: { type: 'string' },
    save: { type: 'boolean' },
    check: { type: 'boolean' },
    keep: { type: 'boolean' },
    help: { type: 'boolean' }
  }
})
const [command = 'all', argument, ...others] = positionals

if (values.help) process.stdout.write(usage)
else if (values.check) await runCheck()
else if (values.keep) await runKeep()
else if (command === 'all') {
  const [only = null, subjects = null] = [values.only?.split(','), values.with?.split(',')]
  await runAll({ isLong: values.long ?? false, only, subjects })
} else if (command === 'compare')
  await runCompare(argument ?? '', values.only?.split(',') ?? null, values.long ?? false)
else if (command === 'concurrency') await runConcurrency(argument, others[0])
else if (command === 'features') await runFeatures(argument, others[0])
else if (command === 'flood') await runFlood(argument, others[0])
else if (command === 'install') await runInstall()
else if (command === 'micro') runMicro({ isSaved: values.save ?? false })
else if (command === 'pairs') await runPairs(argument)
else if (command === 'profile') await runProfile(argument)
else if (command === 'scale') await runScale(argument, others)
else {
  process.stderr.write(`expected a command, got ${command}\n\n${usage}`)
  process.exitCode = 1
}
