import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readKept } from './keep.ts'
import {
  followHistory,
  type History,
  type KeptRatios,
  type Reasons,
  readKeptRatios,
  readReasons
} from './kept-ratios.ts'

const root = new URL('../../../../', import.meta.url)
const file = 'packages/bench/results/check.json'

function git(args: readonly string[]): string {
  const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore']
  return execFileSync('git', args, { cwd: fileURLToPath(root), encoding: 'utf8', stdio })
}

/** The figures of a committed version; `null` if it has the format from before figures named their commit. */
function readVersion(commit: string): KeptRatios | null {
  try {
    return readKeptRatios(JSON.parse(git(['show', `${commit}:${file}`])))
  } catch {
    return null
  }
}

/** The figures of each commit that changed them, the oldest first, and those of the file as it is. */
function readVersions(): readonly KeptRatios[] {
  const commits = git(['log', '--reverse', '--format=%H', '--', file]).split('\n').filter(Boolean)
  const committed = commits.map(readVersion).filter((version) => version !== null)
  return [...committed, readKeptRatios(readKept('check'))]
}

/** The lines about the benchmark in the CHANGELOG. */
export function readChangelog(): Reasons {
  return readReasons(readFileSync(new URL('CHANGELOG.md', root), 'utf8'))
}

/** What the commits of this repository did to the kept figures. */
export function readHistory(): History {
  return followHistory(readVersions(), readChangelog())
}
