import { parseArgs } from 'node:util'
import { runAll } from './commands/all.ts'
import { runInstall } from './commands/install.ts'
import { runMicro } from './commands/micro.ts'
import { runProfile } from './commands/profile.ts'

const usage = `pnpm bench                     everything but the slow parts, under two minutes (--quick)
pnpm bench --long              the real figures: longer slices, a million rows, a million requests
pnpm bench --only A,D,I        some scenarios; writes nothing
pnpm bench --with postern      only this library beside the floor; writes nothing
pnpm bench install             packages and megabytes
pnpm bench micro [--save]      the hot functions, beside the kept figures
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
    help: { type: 'boolean' }
  }
})
const [command = 'all', argument] = positionals

if (values.help) process.stdout.write(usage)
else if (command === 'all') {
  const [only = null, subjects = null] = [values.only?.split(','), values.with?.split(',')]
  await runAll({ isLong: values.long ?? false, only, subjects })
} else if (command === 'install') await runInstall()
else if (command === 'micro') runMicro({ isSaved: values.save ?? false })
else if (command === 'profile') await runProfile(argument)
else {
  process.stderr.write(`expected a command, got ${command}\n\n${usage}`)
  process.exitCode = 1
}
