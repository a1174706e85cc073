// The logger of next-auth, which its tests replace.
import { createMock } from './jest.ts'

const logger = { warn: createMock(), debug: createMock(), error: createMock() }

export const proxyLogger = (): typeof logger => logger

// biome-ignore lint/style/noDefaultExport: next-auth's logger is one.
export default logger
