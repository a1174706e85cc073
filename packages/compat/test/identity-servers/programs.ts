import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Test } from '../postern.ts'

/** A folder for a test, which any user of the system may write to. */
export function createFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'postern-server-'))
  chmodSync(folder, 0o777)
  t.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** The version of an installed package of Debian, without its revision, or `null`. */
export function findDebianPackage(name: string): string | null {
  try {
    const status = execFileSync('dpkg', ['-s', name], { encoding: 'utf8', stdio: 'pipe' })
    return /^Version: (?:\d+:)?([\d.]+)/m.exec(status)?.[1] ?? null
  } catch {
    return null
  }
}

/** How a program starts. */
export interface Program {
  readonly command: readonly [string, ...string[]]
  readonly env?: Readonly<Record<string, string>>
  /** What the program writes when it can be reached. */
  readonly isReady: RegExp
  /** Whether it is a program of these tests, which keeps their user. */
  readonly isOurs?: boolean
}

/** `nobody` on Debian: a server that the tests start needs no privileges. */
const nobody = 65_534

/**
 * Starts a program without privileges, and waits until it is ready. It ends with the test.
 *
 * @returns What it wrote when it was ready.
 */
export async function startProgram(
  t: Test,
  { command, env = {}, isReady, isOurs = false }: Program
): Promise<RegExpExecArray> {
  const [file, ...rest] = command
  const ids = process.getuid?.() === 0 && !isOurs ? { uid: nobody, gid: nobody } : {}
  const child = spawn(file, rest, { stdio: 'pipe', env: { ...process.env, ...env }, ...ids })
  const ended = new Promise((resolve) => child.once('close', resolve))
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let said = ''
  return new Promise((resolve, reject) => {
    const read = (text: string) => {
      said += text
      const ready = isReady.exec(said)
      if (ready) resolve(ready)
    }
    child.stdout.setEncoding('utf8').on('data', read)
    child.stderr.setEncoding('utf8').on('data', read)
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}: ${said.slice(-2000)}`)))
  })
}

/** Waits until a program listens, for one that says so before it does. */
export async function waitForPort(port: number, attempts = 500): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  })
  socket.destroy()
  if (isOpen) return
  if (attempts === 0) throw new Error(`nothing listens on port ${port}`)
  await setTimeout(20)
  await waitForPort(port, attempts - 1)
}
