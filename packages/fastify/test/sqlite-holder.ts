import Database from 'better-sqlite3'

// Another process that slowly writes to the same file.
const [, , file = '', milliseconds = '0'] = process.argv
const database = new Database(file, { timeout: 5000 })
database.exec('begin immediate')
process.send?.('held')
setTimeout(() => {
  database.exec('commit')
  database.close()
  process.disconnect()
}, Number(milliseconds))
