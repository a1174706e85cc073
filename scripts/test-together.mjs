// Runs several test files one after the other in one process: Node and tap start once, instead of once for each file.
//   node --import=./tap-hooks.mjs test-together.mjs FILE ...
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { fileMark } from './tap.mjs'

// Once a file has registered a teardown of its own, tap ends when no test runs for a moment, as while a file is loaded.
const teardowns = []
t.teardown = (teardown) => void teardowns.push(teardown)
// One file's time is not that of all.
t.setTimeout = () => undefined
for (const [index, file] of process.argv.slice(2).entries()) {
  // By default, the name of the directory is that of all files, which may be too long for one.
  t.testdirName = resolve('.tap/fixtures', `${process.pid}-${index}`)
  t.comment(fileMark(file, performance.now()))
  await import(pathToFileURL(resolve(file)).href)
  // Tests run in order: when this one runs, those of the file have ended.
  await t.test('end of the file', async () => undefined)
}
for (const teardown of teardowns.toReversed()) await teardown()
