// The page of every option, of the docstrings in the source.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
// TypeScript 7 has no interface for scripts; the documentation's tools bring one that has.
const ts = createRequire(join(root, 'docs/package.json'))('typescript')

const core = 'packages/core/src'
const adapters = 'packages/adapters/src/drizzle'
/** The groups of options: heading, file, interface, and what stands before each name. One heading may have several. */
const groups = [
  ['Options', `${core}/config/options.ts`, 'PosternOptions', ''],
  ['session', `${core}/config/options.ts`, 'SessionOptions', 'session.'],
  ['jwt', `${core}/config/options.ts`, 'JwtOptions', 'jwt.'],
  ['pages', `${core}/config/options.ts`, 'PagesOptions', 'pages.'],
  ['callbacks', `${core}/config/callback-options.ts`, 'Callbacks', 'callbacks.'],
  ['events', `${core}/hooks/events.ts`, 'EventPayloads', 'events.'],
  ['account', `${core}/config/options.ts`, 'AccountOptions', 'account.'],
  ['rateLimit', `${core}/config/options.ts`, 'RateLimitOptions', 'rateLimit.'],
  ['theme', `${core}/model/page.ts`, 'Theme', 'theme.'],
  ['Languages, texts and screens', 'packages/pages/src/texts/catalogue.ts', 'LanguageOptions', ''],
  ['Own screens and the script', 'packages/pages/src/options.ts', 'RendererOptions', ''],
  ['runtime', `${core}/model/runtime.ts`, 'Runtime', 'runtime.'],
  ['An OAuth or OpenID Connect provider', `${core}/model/provider-config.ts`, 'OAuthConfig', ''],
  ['hooks of such a provider', `${core}/model/provider-hooks.ts`, 'ProviderHooks', 'hooks.'],
  ['An e-mail provider', `${core}/model/provider-config.ts`, 'EmailConfig', ''],
  ['A credentials provider', `${core}/providers/credentials.ts`, 'CredentialsOptions', ''],
  ['app.requireSession.with()', 'packages/fastify/src/types.ts', 'GuardOptions', ''],
  ['sqliteAdapter()', `${adapters}/sqlite/source.ts`, 'SqliteFile', ''],
  ['sqliteAdapter()', `${adapters}/sqlite/source.ts`, 'SqliteDatabase', ''],
  ['postgresAdapter()', `${adapters}/postgres/client.ts`, 'PostgresUrl', ''],
  ['postgresAdapter()', `${adapters}/postgres/client.ts`, 'PostgresPooled', ''],
  ['postgresAdapter()', `${adapters}/postgres/client.ts`, 'PostgresOver', ''],
  ['mysqlAdapter()', `${adapters}/mysql/source.ts`, 'MysqlUrl', ''],
  ['mysqlAdapter()', `${adapters}/mysql/source.ts`, 'MysqlPooled', ''],
  ['mysqlAdapter()', `${adapters}/mysql/source.ts`, 'MysqlOver', ''],
  ['Each of these three adapters', `${adapters}/tables.ts`, 'SchemaOptions', ''],
  ['Each of these three adapters', `${adapters}/tables.ts`, 'TableOptions', 'tables.'],
  ['withRedisSessions() and redisRevocations()', 'packages/adapters/src/redis/options.ts', 'RedisOptions', '']
]

const sourceOf = (file) =>
  ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true)
const oneLine = (text) => text.replaceAll(/\s+/g, ' ').trim()
const cell = (text) => oneLine(text).replaceAll('|', '\\|')

/** What a docstring says: the text, and the default. */
function docOf(node) {
  const docs = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)
  const text = docs.map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '').join(' ')
  const tags = docs.flatMap(({ tags = [] }) => [...tags])
  const tag = tags.find(({ tagName }) => tagName.text === 'defaultValue')
  return { text: oneLine(text), preset: tag ? oneLine(ts.getTextOfJSDocComment(tag.comment) ?? '') : '' }
}

function interfaceOf(source, name) {
  const found = source.statements.find((one) => ts.isInterfaceDeclaration(one) && one.name.text === name)
  if (!found) throw new Error(`expected an interface ${name} in ${source.fileName}`)
  return found
}

/**
 * Every member of a group.
 *
 * @returns {readonly { name: string, type: string, preset: string, text: string }[]}
 */
function membersOf(file, name, prefix) {
  const source = sourceOf(file)
  return interfaceOf(source, name)
    .members.filter((member) => member.name)
    .map((member) => {
      const type = ts.isMethodSignature(member)
        ? `(${member.parameters.map((one) => one.getText()).join(', ')}) => ${member.type?.getText() ?? 'void'}`
        : (member.type?.getText() ?? '')
      return {
        name: prefix + member.name.getText(),
        // Members on lines of their own are told on one.
        type: oneLine(type.replaceAll(/(?<=[^{(;,|&\s])\n\s*readonly /g, '; '))
          .replaceAll(/readonly /g, '')
          .replace(/ \| undefined$/, ''),
        ...docOf(member)
      }
    })
}

function tableOf(members) {
  const lines = members.map(({ name, type, preset, text }) => {
    return `| \`${name}\` | \`${cell(type)}\` | ${cell(preset)} | ${cell(text)} |`
  })
  return ['| Option | Type | Default | |', '| --- | --- | --- | --- |', ...lines].join('\n')
}

/** The constants, with their values: an object literal with a docstring for each. */
function constants() {
  const source = sourceOf(`${core}/config/defaults.ts`)
  const lines = []
  const visit = (node) => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === 'defaults') {
      for (const property of node.initializer.properties) {
        const { text } = docOf(property)
        const value = property.initializer.getText()
        lines.push(`| \`constants.${property.name.getText()}\` | \`${value}\` | ${cell(text)} |`)
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return ['| Constant | Value | |', '| --- | --- | --- |', ...lines].join('\n')
}

/** @returns Names of options that no docstring explains. */
export function unexplained() {
  return groups.flatMap(([, file, name, prefix]) =>
    membersOf(file, name, prefix)
      .filter(({ text, preset }) => text === '' && preset === '')
      .map((member) => `${name}: ${member.name}`)
  )
}

/** @returns The whole page. */
export function optionsPage() {
  const chapters = [...Map.groupBy(groups, ([heading]) => heading)].map(([heading, parts]) => {
    const members = parts.flatMap(([, file, name, prefix]) => membersOf(file, name, prefix))
    return `## ${heading}\n\n${tableOf(members)}\n`
  })
  return `# Options

Everything that can be set, with its default. Names and shapes are next-auth v4’s where it has them. What is misspelt, of
the wrong kind or missing is told when the plugin is registered, and when an adapter is made, all together; nothing is
ignored. What works and is hardly meant, as milliseconds in place of seconds, is a warning in the log (\`CONFIGURATION\`).

A provider’s options are given to its function (\`github({ clientId })\`), or stand in its object.

This page is written by \`pnpm docs:write\`.

${chapters.join('\n')}
## constants

${constants()}
`
}
