// What the pages say in other languages: commands are there, SQL runs on the database that it is for, all can be read.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { blocks, docs, getName, lacks, root, withDatabase } from './blocks.mjs'

/** Languages, and what looks at them: modules and proxies have tests of their own; a drawing is drawn by who shows it. */
const proxies = ['nginx', 'caddyfile', 'haproxy', 'apache', 'lighttpd', 'varnishd', 'vcl', 'nghttpx']
const looked = ['ts', 'tsx', 'js', 'json', 'yaml', 'sql', 'sh', 'mermaid', '', ...proxies]
const of = (name) => blocks.filter(({ language }) => language === name)
const manifestIn = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))

t.test('every language of a block is one that is looked at', async (t) => {
  const others = blocks.filter(({ language }) => !looked.includes(language))
  t.same(
    others.map(({ page, line, language }) => `${page}:${line} ${language}`),
    []
  )
})

t.test('JavaScript and JSON can be read', async (t) => {
  const folder = join(docs, 'build/scripts')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const block of of('js')) {
    const file = join(folder, `${getName(block)}.mjs`)
    writeFileSync(file, block.code)
    const { status, stderr } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' })
    t.equal(status, 0, `${block.page}:${block.line} ${stderr}`)
  }
  for (const { page, line, code } of of('json')) t.doesNotThrow(() => JSON.parse(code), `${page}:${line}`)
  for (const { page, line, code } of of('yaml')) t.doesNotThrow(() => parse(code), `${page}:${line}`)
})

const makesIndexes = ({ code }) => code.startsWith('create index')

for (const block of of('sql').filter(makesIndexes)) {
  const skip = await lacks(block)
  t.test(`${block.page}:${block.line} makes the indexes that our own tables have`, { skip }, async (t) => {
    const { postgresAdapter } = await import('@postern/adapters/postgres')
    const { default: pg } = await import('pg')
    await withDatabase(async (url) => {
      const adapter = postgresAdapter({ url })
      await adapter.ready()
      await adapter.close()
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      try {
        const indexes = async () => {
          const sql = `select indexname as name, indexdef from pg_indexes where schemaname = 'public' and
            tablename in ('user', 'account', 'session', 'verificationToken') order by 1`
          return (await client.query(sql)).rows
        }
        const before = await indexes()
        for (const { name } of before.filter(({ name }) => name.startsWith('postern_')))
          await client.query(`drop index "${name}"`)
        t.not((await indexes()).length, before.length)
        for (const statement of block.code.split(';').filter((part) => part.trim())) await client.query(statement)
        t.same(await indexes(), before)
      } finally {
        await client.end()
      }
    })
  })
}

const corrects = ({ code }) => code.startsWith('update')

for (const block of of('sql').filter(corrects)) {
  const skip = await lacks({ ...block, code: `PostgreSQL ${block.code}` })
  t.test(`${block.page}:${block.line} writes addresses in lower case`, { skip }, async (t) => {
    const { default: pg } = await import('pg')
    await withDatabase(async (url) => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      try {
        await client.query(
          `create table "User" (email text); insert into "User" values ('Ada@Example.com'), ('b@example.com')`
        )
        await client.query(block.code)
        const { rows } = await client.query('select email from "User" order by 1')
        t.same(rows, [{ email: 'ada@example.com' }, { email: 'b@example.com' }])
      } finally {
        await client.end()
      }
    })
  })
}

for (const block of of('sql').filter((block) => !makesIndexes(block) && !corrects(block))) {
  const skip = await lacks(block)
  t.test(`${block.page}:${block.line} deletes what has ended, and nothing else`, { skip }, async (t) => {
    const { postgresAdapter } = await import('@postern/adapters/postgres')
    const { default: pg } = await import('pg')
    await withDatabase(async (url) => {
      const adapter = postgresAdapter({ url })
      const user = await adapter.createUser({ name: 'Ada', email: 'ada@example.com', image: null, emailVerified: null })
      for (const [name, expires] of [
        ['over', new Date(Date.now() - 1000)],
        ['good', new Date(Date.now() + 60_000)]
      ]) {
        await adapter.createSession({ sessionToken: name, userId: user.id, expires })
        await adapter.createVerificationToken({ identifier: name, token: name, expires })
      }
      await adapter.close()
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      try {
        await client.query(block.code)
        const sessions = await client.query('select "sessionToken" as name from "session"')
        const tokens = await client.query('select "identifier" as name from "verificationToken"')
        t.same([sessions.rows, tokens.rows], [[{ name: 'good' }], [{ name: 'good' }]])
      } finally {
        await client.end()
      }
    })
  })
}

/** The commands of a block, one list of words each. */
function getCommands(code) {
  const lines = code.split('\n').map((line) => line.replace(/(^|\s)#.*$/, '').trim())
  return lines
    .flatMap((line) => line.split('&&'))
    .map((command) => command.trim().split(/\s+/))
    .filter(([word]) => word)
}

const manifests = globSync(['package.json', '{packages,examples}/*/package.json', 'docs/package.json'], { cwd: root })
/** Every dependency of the packages, and the published packages. */
const installable = new Set(
  manifests.flatMap((file) => {
    const { name, private: isPrivate, dependencies, peerDependencies, devDependencies } = manifestIn(dirname(file))
    const requests = Object.keys({ ...dependencies, ...peerDependencies, ...devDependencies })
    return [...requests.filter((other) => !other.startsWith('@postern/')), ...(isPrivate ? [] : [name])]
  })
)

const bench = readFileSync(join(root, 'packages/bench/src/main.ts'), 'utf8')
const noScripts = ['install', 'init']

/** What is wrong with a command: `null` where its program, script, package, file or folder is there. */
function getComplaint([program, ...words], { folder, named, made }) {
  const [first = ''] = words[0] === 'run' ? words.slice(1) : words
  const scripts = { ...manifestIn(folder).scripts, ...(folder === '.' ? {} : manifestIn('.').scripts) }
  switch (program) {
    case 'npm':
    case 'pnpm': {
      if (first === 'install') {
        const unknown = words.slice(1).filter((name) => !installable.has(name))
        return unknown.length > 0 ? `nothing asks for ${unknown.join(', ')}` : null
      }
      if (first === 'bench' && /^[a-z]/.test(words[1] ?? '') && !bench.includes(`command === '${words[1]}'`))
        return `the benchmark has no command ${words[1]}`
      return noScripts.includes(first) || scripts[first] ? null : `${folder} has no script ${first}`
    }
    case 'node':
      return named.has(first) || existsSync(join(root, folder, first)) ? null : `the page names no file ${first}`
    case 'cd':
      return made.has(first) || existsSync(join(root, first)) ? null : `no folder ${first}`
    case 'mkdir':
      made.add(first)
      return null
    case 'export':
      return words.every((word) => /^[A-Z_]+=/.test(word) || /^[\w-]+\)?$/.test(word)) ? null : 'no NAME=value'
    default:
      return `nobody has looked at ${program}`
  }
}

function getComplaints({ page, line, code }) {
  const here = dirname(page)
  const text = readFileSync(join(root, page), 'utf8')
  const named = new Set([...text.matchAll(/^(?:\/\/ |.*`)(\w+\.mts)`?/gm)].map(([, file]) => file))
  const location = { folder: existsSync(join(root, here, 'package.json')) ? here : '.', named, made: new Set() }
  return getCommands(code).flatMap((words) => {
    const complaint = getComplaint(words, location)
    if (words[0] === 'cd' && existsSync(join(root, words[1] ?? '', 'package.json'))) location.folder = words[1]
    return complaint ? [`${page}:${line} ${words.join(' ')}: ${complaint}`] : []
  })
}

t.test('every command is there', async (t) => {
  const shells = of('sh')
  t.ok(shells.length >= 14, `${shells.length} blocks`)
  t.same(shells.flatMap(getComplaints), [])
})

t.test('a command that does not exist is reported', async (t) => {
  const reported = (code) => getComplaints({ page: 'README.md', line: 1, code }).length
  t.equal(reported('pnpm nothing'), 1)
  t.equal(reported('pnpm bench nothing'), 1)
  t.equal(reported('pnpm bench pairs 80   # starts'), 0)
  t.equal(reported('npm install @postern/nothing fastify'), 1)
  t.equal(reported('npm install @postern/testkit'), 1, 'not published')
  t.equal(reported('node other.mts   # a file'), 1)
  t.equal(reported('cd nowhere && npm start'), 1)
  t.equal(reported('curl example.com'), 1)
  t.equal(reported('mkdir app && cd app && npm init -y # done'), 0)
})
