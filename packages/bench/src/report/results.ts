import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Summary } from '../statistics.ts'

/** What was measured of one library doing one job. */
export interface Figure {
  readonly subject: string
  /** Microseconds of CPU time of the server process for one job. */
  readonly cpu: Summary
  /** Times the floor of the same round. */
  readonly ratio: Summary
  /** Times the same work by hand of the same round; `null` if it was not measured. */
  readonly timesByHand: Summary | null
  /** Jobs in a second. */
  readonly rate: number
  /** Milliseconds. */
  readonly p50: number
  /** Milliseconds. */
  readonly p99: number
}

export interface ScenarioResult {
  readonly id: string
  readonly title: string
  readonly target: number
  /** Times the same work by hand that Postern should cost at most; `null` if it was not measured. */
  readonly targetByHand: number | null
  readonly figures: readonly Figure[]
  /** Why a library is not among them. */
  readonly absent: Readonly<Record<string, string>>
}

/** From the start of a process to its first answer. */
export interface StartFigure {
  readonly subject: string
  readonly target: number | null
  /** Milliseconds of CPU time, all threads. */
  readonly cpu: Summary
  /** Times a bare Fastify's of the same round. */
  readonly cpuRatio: Summary
  /** Milliseconds. */
  readonly wall: Summary
  readonly wallRatio: Summary
  /** Bytes. */
  readonly rss: number
}

/** What a database session costs in a small and in a large table. */
export interface RowsFigure {
  readonly subject: string
  readonly few: number
  readonly many: number
  readonly cpuOfFew: Summary
  readonly cpuOfMany: Summary
  readonly ratio: Summary
  readonly target: number
}

/** Memory as requests go by. */
export interface MemoryFigure {
  readonly subject: string
  readonly job: string
  /** After so many requests, so many bytes. */
  readonly samples: readonly { readonly requests: number; readonly rss: number; readonly heap: number }[]
}

export interface Results {
  readonly mode: 'quick' | 'long'
  readonly when: string
  readonly machine: {
    readonly cpu: string
    readonly cores: number
    readonly node: string
    /** Of the last minute when the run began: above 0.5 somebody else was at work. */
    readonly load: number
  }
  readonly versions: Readonly<Record<string, string>>
  /** The last commit of what was measured. */
  readonly commit: string
  readonly scenarios: readonly ScenarioResult[]
  readonly starts: readonly StartFigure[]
}

const require = createRequire(import.meta.url)
const measured = [
  'fastify',
  'next-auth',
  '@auth/express',
  '@auth/core',
  'better-auth',
  '@better-auth/passkey',
  '@fastify/secure-session',
  '@fastify/session'
]

function getVersion(name: string): string {
  const paths = require.resolve.paths(name) ?? []
  for (const path of paths) {
    try {
      const manifest: unknown = JSON.parse(readFileSync(`${path}/${name}/package.json`, 'utf8'))
      if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version)
    } catch {
      // Not in this folder: the next one up may have it.
    }
  }
  return 'missing'
}

/** @returns The versions of what is measured. */
export function versions(): Readonly<Record<string, string>> {
  return Object.fromEntries(measured.map((name) => [name, getVersion(name)]))
}

/** @returns What the figures depend on beside the code. */
export function surroundings(): Pick<Results, 'when' | 'machine' | 'versions' | 'commit'> {
  const cwd = fileURLToPath(new URL('.', import.meta.url))
  const all = cpus()
  const machine = { cpu: all[0]?.model ?? '', cores: all.length, node: process.version, load: loadavg()[0] ?? 0 }
  const commit = execFileSync('git', ['describe', '--always', '--dirty'], { cwd, encoding: 'utf8' }).trim()
  return { when: new Date().toISOString(), machine, versions: versions(), commit }
}
