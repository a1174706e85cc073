import { options, text } from './column-types.ts'

/** The statement that creates `postern_factor`, whose quoted name is given. */
export function createFactors(name: string, key: string): string {
  return `create table if not exists ${name} (
  \`type\` ${key} not null,
  \`id\` ${key} not null,
  \`userId\` ${key} not null,
  \`name\` ${text},
  \`data\` ${text} not null,
  \`createdAt\` datetime(3) not null,
  \`lastUsedAt\` datetime(3),
  \`version\` int not null,
  primary key (\`type\`, \`id\`),
  index \`postern_factor_userId\` (\`userId\`)
) ${options}`
}

/** The statement that creates `postern_event`, whose quoted name is given. */
export function createEvents(name: string, key: string): string {
  return `create table if not exists ${name} (
  \`id\` ${key} not null primary key,
  \`time\` datetime(3) not null,
  \`type\` ${key} not null,
  \`userId\` ${key},
  \`sessionId\` ${key},
  \`ip\` ${text},
  \`userAgent\` ${text},
  \`provider\` ${key},
  \`requestId\` ${text},
  \`data\` ${text},
  index \`postern_event_userId\` (\`userId\`, \`time\`),
  index \`postern_event_time\` (\`time\`)
) ${options}`
}
