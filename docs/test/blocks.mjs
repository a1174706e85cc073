// The code blocks of every page, and the servers of this machine that some of them are about.
import { globSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const docs = fileURLToPath(new URL('..', import.meta.url))
export const root = dirname(docs.replace(/\/$/, ''))
export const pages = globSync(['*.md', 'docs/*.md', 'packages/*/README.md', 'examples/*/README.md'], { cwd: root })

/**
 * What the text above a block says of it: the file that a reader saves it as, and the command that runs it.
 *
 * A block with a file is in one folder with the others of its page.
 */
function getInstructions(lines, index) {
  const above =
    lines
      .slice(0, index - 1)
      .join('\n')
      .split('\n\n')
      .at(-1) ?? ''
  const [, file = null] = /\b[Ss]ave this as\s+`([\w.-]+)`/.exec(above) ?? []
  const [, command = null] = /\band run\s+`([^`]+)`/.exec(above) ?? []
  return { file, command }
}

/** Each fenced block with its language and the line that it begins at. */
function getBlocks(page) {
  const lines = readFileSync(join(root, page), 'utf8').split('\n')
  const blocks = []
  let open = null
  for (const [index, line] of lines.entries()) {
    const fence = /^\s*```(\w*)/.exec(line)
    if (fence && !open) open = { language: fence[1], line: index + 2, code: [], ...getInstructions(lines, index) }
    else if (fence) {
      blocks.push({ ...open, page, code: open.code.join('\n') })
      open = null
    } else open?.code.push(line)
  }
  return blocks
}

export const blocks = pages.flatMap(getBlocks)

const isTest = ({ file }) => file?.includes('.test.') ?? false

/** The modules of a page that a reader saves, tests among them, in one folder for each page. */
export const saved = pages
  .map((page) => blocks.filter((block) => block.page === page && block.file && block.language === 'ts'))
  .filter((files) => files.some(isTest))

/** Where a reader saves a module, below a folder for all pages. */
export const getSavedPath = ({ page, file }) => join(page.replaceAll(/[^A-Za-z]/g, '-'), file)

/** The tests among the modules that a reader saves. */
export const savedTests = saved.flat().filter(isTest)

/** A name for a block's file or folder. */
export const getName = ({ page, line }) => `${page.replaceAll(/[^A-Za-z]/g, '-')}-${line}`

/** A line before the output of a block, and a line after it. */
export const beginMark = (file) => `# block ${file}`
export const endMark = (file) => `# end of ${file}`

/** What a program of the pages finds in its environment. */
export const settings = {
  AUTH_SECRET: 'a secret of the tests, 32 characters or more',
  OLD_SECRET: 'another secret of the tests, 32 characters or more',
  AUTH_GITHUB_ID: 'id',
  AUTH_GITHUB_SECRET: 'secret',
  AUTH_COMPANY_ID: 'id',
  AUTH_COMPANY_SECRET: 'secret',
  AUTH_RESEND_KEY: 'key',
  EMAIL_SERVER: 'smtp://127.0.0.1:2525',
  NODE_OPTIONS: ''
}

const servers = { PostgreSQL: 5432, Redis: 6379 }

function isThere(port) {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

/** @returns Why a block cannot be run here, or `false`; with `POSTERN_REQUIRE_ALL` every block is run. */
export async function lacks({ code, language }) {
  const isAbout = {
    PostgreSQL: language === 'sql' || /postgres:\/\/|@postern\/adapters\/postgres/.test(code),
    Redis: code.includes('ioredis')
  }
  if (process.env.POSTERN_REQUIRE_ALL) return false
  for (const [name, port] of Object.entries(servers)) {
    if (isAbout[name] && !(await isThere(port))) return `no ${name} at 127.0.0.1:${port}`
  }
  return false
}

/** A database of its own on this machine's PostgreSQL, which is dropped afterwards. */
export async function withDatabase(act) {
  const { default: pg } = await import('pg')
  const name = `postern_docs_${process.pid}_${Math.random().toString(36).slice(2)}`
  const address = (database) => `postgres://root@127.0.0.1:5432/${database}`
  const client = new pg.Client({ connectionString: address('test') })
  await client.connect()
  try {
    await client.query(`create database ${name}`)
    return await act(address(name))
  } finally {
    // A pool says that it has ended before its connections have; one that is cut off then is an error that nobody hears.
    const used = 'select from pg_stat_activity where datname = $1'
    for (let tries = 0; tries < 5000 && (await client.query(used, [name])).rowCount > 0; tries++);
    await client.query(`drop database if exists ${name} with (force)`)
    await client.end()
  }
}
