/** The settings that all instances share. */
export interface Settings {
  /** The public URL: the balancer's. */
  readonly url: string
  readonly secret: string
  /** `postgres://user:password@host:5432/database` */
  readonly database: string
  /** `redis://127.0.0.1:6379` */
  readonly redis: string
  /** The prefix of this application's keys in Redis. */
  readonly prefix: string
  readonly session: 'jwt' | 'database'
  readonly provider: { readonly issuer: string; readonly clientId: string; readonly clientSecret: string }
  readonly mailServer: string
}

/** Serializes the settings for a child process. */
export function toEnvironment(settings: Settings): { readonly CLUSTER_SETTINGS: string } {
  return { CLUSTER_SETTINGS: JSON.stringify(settings) }
}

function isSettings(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && 'database' in value && 'redis' in value
}

/** @throws TypeError if this process was not started by the cluster. */
export function fromEnvironment({ CLUSTER_SETTINGS = 'null' }: NodeJS.ProcessEnv): Settings {
  const settings: unknown = JSON.parse(CLUSTER_SETTINGS)
  if (isSettings(settings)) return settings
  throw new TypeError('expected CLUSTER_SETTINGS; start the cluster with `npm start` in examples/cluster')
}
