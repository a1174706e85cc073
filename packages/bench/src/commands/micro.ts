import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../inside/micro.ts', import.meta.url))

/** Runs the micro-benchmarks, a program beside the sources: it reaches into core. `isSaved` keeps the figures. */
export function runMicro({ isSaved }: { readonly isSaved: boolean }): void {
  execFileSync(process.execPath, [program, ...(isSaved ? ['--save'] : [])], { stdio: 'inherit' })
}
