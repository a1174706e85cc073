// Generates docs/options.md from the docstrings in the source.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
// TypeScript 7 has no API for scripts, so use the version of the documentation's tools.
const ts = createRequire(join(root, 'docs/package.json'))('typescript')

const core = 'packages/core/src'
const adapters = 'packages/adapters/src/drizzle'
/** The groups of options: heading, file, interface, and the prefix of each name. A heading may have several groups. */
const groups = [
  ['Options', `${core}/config/options.ts`, 'PosternOptions', ''],
  ['session', `${core}/config/options.ts`, 'SessionOptions', 'session.'],
  ['jwt', `${core}/config/options.ts`, 'JwtOptions', 'jwt.'],
  ['pages', `${core}/config/options.ts`, 'PagesOptions', 'pages.'],
  ['callbacks', `${core}/config/callback-options.ts`, 'Callbacks', 'callbacks.'],
  ['events', `${core}/hooks/events.ts`, 'EventPayloads', 'events.'],
  ['account', `${core}/config/account-options.ts`, 'AccountOptions', 'account.'],
  ['linking', `${core}/config/account-options.ts`, 'LinkingOptions', 'linking.'],
  ['rateLimit', `${core}/config/options.ts`, 'RateLimitOptions', 'rateLimit.'],
  ['theme', `${core}/model/page.ts`, 'Theme', 'theme.'],
  ['Languages, texts and screens', 'packages/pages/src/texts/catalogue.ts', 'LanguageOptions', ''],
  ['Custom screens and the script', 'packages/pages/src/options.ts', 'RendererOptions', ''],
  ['runtime', `${core}/model/runtime.ts`, 'Runtime', 'runtime.'],
  ['An OAuth or OpenID Connect provider', `${core}/model/provider-config.ts`, 'OAuthConfig', ''],
  ['hooks of an OAuth or OpenID Connect provider', `${core}/model/provider.ts`, 'ProviderHooks', 'hooks.'],
  ['An email provider', `${core}/model/provider-config.ts`, 'EmailConfig', ''],
  ['A credentials provider', `${core}/providers/credentials.ts`, 'CredentialsOptions', ''],
  ['requireSession.with()', 'packages/fastify/src/types.ts', 'GuardOptions', ''],
  ['password()', 'packages/account/src/password/options.ts', 'PasswordOptions', ''],
  ['password()', 'packages/account/src/sign-up-form/options.ts', 'SignUpFormOptions', ''],
  ['passkey()', 'packages/account/src/passkey/options.ts', 'PasskeyOptions', ''],
  ['passkey()', 'packages/account/src/sign-up-form/options.ts', 'SignUpFormOptions', ''],
  ['secondFactor()', 'packages/account/src/second-factor/options.ts', 'SecondFactorOptions', ''],
  ['sqliteAdapter()', `${adapters}/sqlite/source.ts`, 'SqliteFile', ''],
  ['sqliteAdapter()', `${adapters}/sqlite/source.ts`, 'SqliteDatabase', ''],
  ['postgresAdapter()', `${adapters}/postgres/client.ts`, 'PostgresUrl', ''],
  ['postgresAdapter()', `${adapters}/postgres/client.ts`, 'PostgresPooled', ''],
  ['postgresAdapter()', `${adapters}/postgres/client.ts`, 'PostgresOver', ''],
  ['mysqlAdapter()', `${adapters}/mysql/source.ts`, 'MysqlUrl', ''],
  ['mysqlAdapter()', `${adapters}/mysql/source.ts`, 'MysqlPooled', ''],
  ['mysqlAdapter()', `${adapters}/mysql/source.ts`, 'MysqlOver', ''],
  ['All SQL adapters', `${adapters}/table-options.ts`, 'SchemaOptions', ''],
  ['All SQL adapters', `${adapters}/table-options.ts`, 'TableOptions', 'tables.'],
  ['withRedisSessions() and redisRevocations()', 'packages/adapters/src/redis/options.ts', 'RedisOptions', '']
]

const getSource = (file) =>
  ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true)
const oneLine = (text) => text.replaceAll(/\s+/g, ' ').trim()
const cell = (text) => oneLine(text).replaceAll('|', '\\|')

/** The text and the default of a docstring. */
function getDoc(node) {
  const docs = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)
  const text = docs.map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '').join(' ')
  const tags = docs.flatMap(({ tags = [] }) => [...tags])
  const tag = tags.find(({ tagName }) => tagName.text === 'defaultValue')
  return { text: oneLine(text), preset: tag ? oneLine(ts.getTextOfJSDocComment(tag.comment) ?? '') : '' }
}

function getInterface(source, name) {
  const found = source.statements.find((one) => ts.isInterfaceDeclaration(one) && one.name.text === name)
  if (!found) throw new Error(`expected an interface ${name} in ${source.fileName}`)
  return found
}

/**
 * Every member of a group.
 *
 * @returns {readonly { name: string, type: string, preset: string, text: string }[]}
 */
function getMembers(file, name, prefix) {
  const source = getSource(file)
  return getInterface(source, name)
    .members.filter((member) => member.name)
    .map((member) => {
      const type = ts.isMethodSignature(member)
        ? `(${member.parameters.map((one) => one.getText()).join(', ')}) => ${member.type?.getText() ?? 'void'}`
        : (member.type?.getText() ?? '')
      return {
        name: prefix + member.name.getText(),
        // Joins members on separate lines.
        type: oneLine(type.replaceAll(/(?<=[^{(;,|&\s])\n\s*readonly /g, '; '))
          .replaceAll(/readonly /g, '')
          .replace(/ \| undefined$/, ''),
        ...getDoc(member)
      }
    })
}

function getTable(members) {
  const lines = members.map(({ name, type, preset, text }) => {
    return `| \`${name}\` | \`${cell(type)}\` | ${cell(preset)} | ${cell(text)} |`
  })
  return ['| Option | Type | Default | Description |', '| --- | --- | --- | --- |', ...lines].join('\n')
}

/** The constants, with their values: an object literal with a docstring for each. */
function constants() {
  const source = getSource(`${core}/config/defaults.ts`)
  const lines = []
  const visit = (node) => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === 'constants') {
      for (const property of node.initializer.properties) {
        const { text } = getDoc(property)
        const value = property.initializer.getText()
        lines.push(`| \`constants.${property.name.getText()}\` | \`${value}\` | ${cell(text)} |`)
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return ['| Constant | Value | Description |', '| --- | --- | --- |', ...lines].join('\n')
}

/** @returns Names of options without a docstring. */
export function unexplained() {
  return groups.flatMap(([, file, name, prefix]) =>
    getMembers(file, name, prefix)
      .filter(({ text, preset }) => text === '' && preset === '')
      .map((member) => `${name}: ${member.name}`)
  )
}

/** @returns The page. */
export function optionsPage() {
  const chapters = [...Map.groupBy(groups, ([heading]) => heading)].map(([heading, parts]) => {
    const members = parts.flatMap(([, file, name, prefix]) => getMembers(file, name, prefix))
    return `## ${heading}\n\n${getTable(members)}\n`
  })
  return `# Options

This page lists every option and its default. Options of next-auth v4 keep their names and types. Registering the plugin and
creating an adapter validate all options, and report unknown names, wrong types and missing values at once. Valid but unlikely
values, such as milliseconds instead of seconds, cause a warning in the log (\`CONFIGURATION\`).

Pass the options of a provider to its function (\`github({ clientId })\`), or set them in its object.

\`pnpm docs:write\` generates this page.

${chapters.join('\n')}
## constants

${constants()}
`
}
