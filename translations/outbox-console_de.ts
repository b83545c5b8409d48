<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
<context>
    <name>app::Window</name>
    <message>
        <source>Outbox Console</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>app::WindowController</name>
    <message>
        <source>Starting the sandbox…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Events</source>
        <comment>heading of the navigation</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outbox</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Downstream</source>
        <comment>heading of the navigation</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Queues</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operate</source>
        <comment>heading of the navigation</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dispatcher</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping the dispatcher…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asking the keyring for the passwords of %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for the connection.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PostgreSQL –</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redis –</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Oldest due –</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sandbox is starting.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redis %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A setting in the environment cannot be used.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PostgreSQL unavailable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No outbox table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Oldest due unavailable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redis unavailable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PostgreSQL %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 rows are due.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing due</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Oldest due %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This console: %1 questions/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asked of PostgreSQL and Redis by this window, over the last half minute. Hidden, minimised or paused it asks nothing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dispatcher not running here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dispatcher starting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dispatcher running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dispatcher recovering</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dispatcher stopping</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::bullmq::Enqueuer</name>
    <message>
        <source>BullMQ cannot take a job with the id &quot;%1&quot;.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change the job id template.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::bullmq::ServerPolicy</name>
    <message>
        <source>Redis at %1 may evict keys (maxmemory-policy is %2), and with them jobs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set it with: redis-cli CONFIG SET maxmemory-policy noeviction.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::config::DispatcherSettings</name>
    <message>
        <source>Pause between looks at the table when nothing is due, in ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most rows claimed at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most claimed events in flight to their destinations at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Retries before an event is a dead letter (event layout)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Age at which handed-over rows may be removed, in hours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Most handed-over rows removed per run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is &quot;%2&quot;.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It takes true or false.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It takes a whole number from %1 to %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dispatch from the start; otherwise only after an explicit start</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::dispatch::DispatchLoop</name>
    <message>
        <source>The grace time is over; rows that stay claimed until their lease ends: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Started on %1, handing over to the queues at %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No route takes the event type %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows settled too late, so that nothing was changed: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New dead letters: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trying again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping: no new claims, what is in flight is settled.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Handed over: %1, of which %2 had their job already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Handed over: %1.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::dispatch::Dispatcher</name>
    <message>
        <source>No route takes the event type %1.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::dispatch::QueueDestination</name>
    <message>
        <source>The job id template &quot;%1&quot; does not hold {id} once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The usual one is outbox:{id}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The payload is not JSON: %1, at byte %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No worker could read it; correct the row and requeue it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The job&apos;s key in queue %1 holds something that is no job.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::dispatch::Router</name>
    <message>
        <source>The routes file %1 cannot be read: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It looks like {&quot;routes&quot;: [{&quot;prefix&quot;: &quot;mail.&quot;, &quot;queue&quot;: &quot;outbox.mail&quot;}]}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The routes file %1 is not JSON: %2 at byte %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The routes file %1 has the prefix &quot;%2&quot;.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A prefix is lower-case words, each followed by a dot.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The routes file %1 names no queue for &quot;%2&quot;.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The routes file %1 holds no routes.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::outbox::Discovery</name>
    <message>
        <source>&quot;%1&quot; is no table name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it as table or schema.table, with double quotes where a name holds a dot.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 layout lacks: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 tables fit an outbox layout: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose one with --table, for instance --table &apos;%1&apos;.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no table %1 in this database.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the name, or create it with: outbox-console schema apply.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The table %1 fits no outbox layout (%2; %3).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See both layouts with: outbox-console schema print.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No table fits an outbox layout; nearest is %1 (%2).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This database has no outbox table.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Create one with: outbox-console schema apply.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::outbox::EventType</name>
    <message>
        <source>&quot;%1&quot; is no event type.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An event type is lower-case and has at least two words joined by dots, for instance billing.subscription.updated.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::outbox::Publisher</name>
    <message>
        <source>The %1 is not JSON: %2, at line %3, column %4.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The event has no tenant.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>payload</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The event holds a NUL byte.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The delay is negative.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The message layout has no dispatch key.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave the key out, or choose a table of the event layout.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has no unique index on its dispatch key, so the key would not keep a second event out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask the table&apos;s owner for the index, or leave the key out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>metadata</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The dispatch key &quot;%1&quot; was taken by a row that is gone or not visible to this transaction.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Roll back and publish again.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::outbox::Reader</name>
    <message>
        <source>%1 has no row with id %2 (any more).</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::outbox::Schema</name>
    <message>
        <source>No schema of this session&apos;s search path exists.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Create one, or name one with ?options=-csearch_path%3Dname in the URL.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::redis::Client</name>
    <message>
        <source>It did not answer in time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The connection was closed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no connection.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It does not speak Redis&apos; protocol.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot connect to Redis at %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check host, port and password, and that the server runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The connection to Redis at %1 was lost: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redis at %1 refused user name or password.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check both in the Redis URL; special characters are written as %XX.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redis at %1 does not permit this: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask for the missing right in the server&apos;s ACL.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redis at %1 cannot take this now: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redis at %1 answered with an error: %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::redis::Endpoint</name>
    <message>
        <source>Write it as redis://user:password@host:6379/0, rediss:// for TLS, or redis+unix:///path/to/socket.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The Redis URL is empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The Redis URL cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The Redis URL names no host.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The Redis URL names no socket path.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The Redis URL does not begin with redis:// or rediss://.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The Redis URL names the database &quot;%1&quot;, which is no number.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::sandbox::Account</name>
    <message>
        <source>There is no unprivileged user to run the sandbox&apos;s servers as.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the console as a normal user, or create the user &quot;postgres&quot;.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder %1 cannot be prepared: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the rights on it and the free space of its disk.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 is not a folder of the user who runs the sandbox&apos;s servers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move it away, or choose another folder for the sandbox.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::sandbox::Folder</name>
    <message>
        <source>The sandbox&apos;s folder %1 cannot be used: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the rights on it and the free space of its disk, or choose another place by setting XDG_DATA_HOME.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder %1 belongs to another user.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run the console as that user, or choose another place by setting XDG_DATA_HOME.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The folder %1 is not empty and was not made by Outbox Console, so it is left alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move its content away, or choose another place by setting XDG_DATA_HOME.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The user %1, who runs the sandbox&apos;s servers, cannot enter %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let others pass through the folders above it (chmod o+x), or run the console as a normal user.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::sandbox::FolderLock</name>
    <message>
        <source>The file %1 cannot be locked: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the rights on it and the space on its disk.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::sandbox::PostgresServer</name>
    <message>
        <source>No temporary file can be written: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the space on the disk of /tmp.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Creating the database in %1 took too long.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The disk may be very slow or hang; try another folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The database in %1 could not be created: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the folder&apos;s rights and the space on its disk; the log is %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PostgreSQL ended while starting: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PostgreSQL does not take connections.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The log is %1. To start afresh, move the folder %2 away.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::sandbox::RedisServer</name>
    <message>
        <source>Redis ended while starting: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redis does not answer: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The log is %1. To start afresh, move the folder %2 away.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::sandbox::SampleData</name>
    <message>
        <source>%1 is missing in this program.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::sandbox::Sandbox</name>
    <message>
        <source>The user %1, who runs the sandbox&apos;s servers, cannot enter %2; using %3.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for another console that starts or stops the sandbox ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another console (process %1) holds the sandbox in %2 and does not become ready.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End that process, then start again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sandbox is not ready.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starting PostgreSQL and Redis ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ending a server that a killed console left behind (process %1) ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The process %1 still runs on %2 and cannot be ended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End it, then start again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sandbox&apos;s data are of PostgreSQL %1, which is not installed (PostgreSQL %2 is).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The sandbox&apos;s database is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are only %1 MB free for the sandbox in %2; it needs %3 MB.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free some space, or choose another place by setting XDG_DATA_HOME.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Creating a private PostgreSQL %1 in %2 ...</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot be renamed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the rights on its folder and the space on its disk.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move %1 away, then start again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They are kept in %1; a new database is made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 cannot be written: %2.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::sandbox::ServerProcess</name>
    <message>
        <source>%1 cannot be started: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check its rights, and that %1 can be written.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::sandbox::ServerPrograms</name>
    <message>
        <source>The sandbox needs the program %1, which is not installed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Install Debian&apos;s package %1: sudo apt-get install --no-install-recommends %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::secrets</name>
    <message>
        <source>Install and unlock a keyring (for instance gnome-keyring), or type the password each time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The keyring reported an error.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The keyring did not give access.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This desktop offers no keyring, so passwords cannot be saved.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::sql::Connection</name>
    <message>
        <source>There is not enough memory for a database connection.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PostgreSQL at %1 did not answer within %2 s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check host, port and firewall, and that the server runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The connection to PostgreSQL at %1 is closed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The connection to PostgreSQL at %1 was lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PostgreSQL at %1 started a COPY, which is not supported here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PostgreSQL at %1 did not answer in time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server may be overloaded or a lock may be held; the outcome is unknown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The work on PostgreSQL at %1 was stopped.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::sql::DatabaseUrl</name>
    <message>
        <source>Write it as postgresql://user@host:5432/database.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The database URL is empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The database URL does not begin with postgresql://.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The database URL cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Special characters in user name or password are written as %XX, for instance %40 for @.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::sql::SqlError</name>
    <message>
        <source>Cannot connect to PostgreSQL at %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PostgreSQL at %1 asks for a password and none was given.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put it into the URL, or into ~/.pgpass.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PostgreSQL at %1 refused user name or password.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check both in the database URL; special characters are written as %XX.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server says: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing listens there: check host and port, and that the server runs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The host name is not known: check its spelling.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PostgreSQL at %1: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The statement ran into its time limit; narrow the filter or try when the server is quieter.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This server or transaction only reads; connect to the primary.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask the database&apos;s owner for the missing right.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::sql::Transaction</name>
    <message>
        <source>The transaction was rolled back; nothing was written.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::watch::Doctor</name>
    <message>
        <source>Dispatcher settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batch %1, concurrency %2, interval %3 ms.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PostgreSQL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connected to %1, version %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Versions before 12 are not tested.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Database session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This server only reads; a dispatcher cannot work on it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connect to the primary to publish or dispatch.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The server takes writes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This machine is %1 ms from the database&apos;s clock; its time zone is %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All decisions follow the database&apos;s clock; ages shown here are off by this much.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outbox table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 has the %2 layout.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Index for claims</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is an index on status and schedule.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No index begins with (%1, %2): every claim reads the whole table.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask the table&apos;s owner for: CREATE INDEX CONCURRENTLY ON %1 (%2, %3);</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dispatch key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The dispatch key has no unique index; a key would not keep a second event out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask the table&apos;s owner for a unique index on %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outbox rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Due rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is due.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 due, the oldest for %2 s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing seems to drain this table: start a dispatcher, or look why it stands.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No Redis URL is given.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give one with --redis or OUTBOX_REDIS_URL.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Eviction</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redis keeps every job (noeviction).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Queues</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 queues below the prefix %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Jobs wait and no worker serves: %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start the workers of these queues.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>engine::watch::OutboxFeed</name>
    <message>
        <source>The connection %1 is read-only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allow writing in the connection&apos;s settings first.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>models::CountText</name>
    <message>
        <source>%1 bn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 M</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 KiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 MiB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 rows, counted exactly.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 rows or more: counting stopped there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About %1 rows, estimated from the database&apos;s statistics.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number of rows is not available now.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>models::FindingsModel</name>
    <message>
        <source>Good</source>
        <comment>verdict of a check</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning</source>
        <comment>verdict of a check</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problem</source>
        <comment>verdict of a check</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything is in order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 problem</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 problems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 warnings</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>models::LogModel</name>
    <message>
        <source>Info</source>
        <comment>log level</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning</source>
        <comment>log level</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Error</source>
        <comment>log level</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <comment>column</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Level</source>
        <comment>column</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What happened</source>
        <comment>column</comment>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>models::OutboxModel</name>
    <message>
        <source>Scheduled</source>
        <comment>column: when the event is due</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Created</source>
        <comment>column: when the event was written</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Status</source>
        <comment>column</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <comment>column: event type</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tenant</source>
        <comment>column</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Retries</source>
        <comment>column: number of failed attempts</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Destination</source>
        <comment>column: queue</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <comment>column: error, lease or next attempt</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no route</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>claimed %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lease ran out %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lease until %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>next attempt %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>due %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>handed over after %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>this layout has no such status</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Handed to the destination. What the receiver did with it is not recorded here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No route matches this type: the dispatcher cannot hand it over.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>models::ProfileModel</name>
    <message>
        <source>Private PostgreSQL and Redis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read-only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Production</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sandbox</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>models::QueueModel</name>
    <message>
        <source>paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>jobs wait and no worker is connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 job stalled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 jobs stalled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <comment>workers</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written by BullMQ %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redis does not let this connection see its clients, so workers cannot be counted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Queue</source>
        <comment>column</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting</source>
        <comment>column</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Jobs ready to be taken, paused or not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Active</source>
        <comment>column</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Jobs held by a worker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delayed</source>
        <comment>column</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Jobs that become ready later, retries included</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Priority</source>
        <comment>column</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ready jobs with a priority</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed</source>
        <comment>column</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Jobs that will not be tried again by themselves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Completed</source>
        <comment>column</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finished jobs that are still kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On children</source>
        <comment>column</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Jobs that wait for their child jobs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stalled</source>
        <comment>column</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Active jobs whose worker no longer holds the lock</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Workers</source>
        <comment>column</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Workers connected to this queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Oldest waiting</source>
        <comment>column</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Age of the job that has waited longest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <comment>column</comment>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>models::SettingsModel</name>
    <message>
        <source>environment</source>
        <comment>where a setting comes from</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>default</source>
        <comment>where a setting comes from</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Variable</source>
        <comment>column</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <comment>column</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Meaning</source>
        <comment>column</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From</source>
        <comment>column: where a setting comes from</comment>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>models::TimeText</name>
    <message>
        <source>%1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 d %2 h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 d</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>models::Timeline</name>
    <message>
        <source>1 attempt failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 attempts failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of at most %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>next attempt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>due</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>has no due time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>due again, waiting for a dispatcher</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>due, waiting for a dispatcher</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>claimed by a dispatcher</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lease ran out, any dispatcher may take it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>claimed, lease ends</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>handed over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>handed over to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>after %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dead: not tried again by itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>status %1 is unknown to this layout</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>views::ActionRegistry</name>
    <message>
        <source> or </source>
        <comment>between two keys</comment>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>views::ComposeDialog</name>
    <message>
        <source>Indent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same as command line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Publish event</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compose event</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Publish event (Ctrl+Return)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Event type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tenant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Te&amp;nant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the type&apos;s first word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the row&apos;s own id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Aggregate type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Aggregate id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Aggregate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Payload, JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lay the payload out; numbers and strings stay as they are typed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Payload</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Metadata, JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Metadata</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>optional: makes publishing twice harmless</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dispatch key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dispatch &amp;key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>minutes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unit of the delay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Due</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In a terminal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No route matches this type, so no dispatcher could hand it over.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goes to the queue %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Valid JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Publishing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Already published</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This dispatch key belongs to the event %1. Nothing was written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Published</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Event %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outcome unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not published</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>views::ConnectDialog</name>
    <message>
        <source>&amp;Read-only: nothing can be changed over this connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pro&amp;duction: colours the window and its dialogs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Connect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connections</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Describe a new connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Forget this connection and its passwords</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>billing-staging</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>found by itself where only one fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>password, kept in the keyring</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PostgreSQL address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PostgreSQL password</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redis address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redis password</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outbox table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Queue prefix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;PostgreSQL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>R&amp;edis</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Queue prefix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A private PostgreSQL and Redis on this computer, with sample tables and events. Started and stopped by the console; nothing else can reach them. Everything may be tried here. It holds one table of either layout: public.&quot;OutboxEvent&quot; and public.message_outbox.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tes&amp;t connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look at the database, the table, Redis and the queues, reading only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy findings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Findings of the connection test</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PostgreSQL: an address is needed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Redis: an address is needed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another connection has this name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give it a name to save it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Passwords go to the desktop&apos;s keyring</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>views::ConnectionTag</name>
    <message>
        <source>Sandbox</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsaved connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PRODUCTION</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>views::CopyField</name>
    <message>
        <source>Copy: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>views::DispatcherPage</name>
    <message>
        <source>Starting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recovering</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dispatcher</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Claimed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows taken from the table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Handed over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows whose event is in its queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duplicates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Handed over before: the job was there already</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Retried</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attempts that failed and will be made again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows that will not be tried again by themselves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lease lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settled too late: another dispatcher holds the row, nothing was changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Released</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Given back without an attempt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In flight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Claimed and not settled yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start or stop the dispatcher</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dispatcher log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lowest level shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Errors only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the entries shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Empty this list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings in force</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Log and settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start dispatcher</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop dispatcher</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This connection is read-only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start or stop (Ctrl+D)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other dispatchers of this table go on working.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It tries again by itself, and no attempt is counted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot work now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cannot work for %1 now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This connection is read-only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dispatching writes to the table. To allow it, clear “Read-only” in the connection.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open connection…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attention</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>views::HeaderBar</name>
    <message>
        <source>Connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Access</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time zone of shown times</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refresh now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause refreshing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refresh interval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Menu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>UTC</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Local time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time zone of all times shown (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every %1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often the page in view is read again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Menu (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sandbox</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unsaved connection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PRODUCTION</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read-only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing can be changed over this connection. Click to change that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Events can be published and dispatched over this connection. Click to change that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume refreshing (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause refreshing (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume refreshing</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>views::JsonEdit</name>
    <message>
        <source>Line %1, column %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>views::JsonView</name>
    <message>
        <source>Copy payload</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save payload to a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Formatted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As stored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Payload view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the payload as stored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the payload as stored…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Payload</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not valid JSON (line %1, column %2), shown as stored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too large to lay out, shown as stored.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first %1 of %2; copy and save take more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only the first %1 were read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save payload</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved to %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Could not save: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>views::KeyboardDialog</name>
    <message>
        <source>Keyboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>List of keys</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>views::MainWindow</name>
    <message>
        <source>Outbox Console</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connect…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compose event…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refresh now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause or resume refreshing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Switch between UTC and local time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keyboard…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the menu</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Like the desktop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About Outbox Console…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sandbox</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (PRODUCTION) – Outbox Console</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 – Outbox Console</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About Outbox Console</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outbox Console %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Watch, dispatch and repair transactional outboxes.
Free software under the GNU General Public License, version 3 or later.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>views::OutboxDetailPane</name>
    <message>
        <source>Event id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last error</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compose similar…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The command that shows this row in a terminal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This connection is read-only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compose a new event of this type with this payload</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the row…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a row to see its timeline, its last error and its payload.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tenant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Destination</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no route for this type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dispatch key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Aggregate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>views::OutboxFilterBar</name>
    <message>
        <source>Clear all filters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>type starts with…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Event type starts with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tenant is…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tenant is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>error contains…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last error contains</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all rows again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only %1. %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The count is of the whole table, whatever the filter.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>views::OutboxPage</name>
    <message>
        <source>Outbox</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compose event…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outbox rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Newest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Newer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Older</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Newest rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Newer rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Older rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter by type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear all filters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the row&apos;s id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the row as command line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lists</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause or resume refreshing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Space</source>
        <comment>key</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the chosen rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This connection is read-only. Allow writing in its settings (Ctrl+O) first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a new event (Ctrl+N)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading %1…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No row matches the filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counts on the buttons above are of the whole table.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The table is empty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Events appear here as soon as an application writes them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compose an event…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name the one you mean in the connection&apos;s Table field.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open connection…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The rows below are from the last answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The newest %1 rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All %1 rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 rows, older and newer ones exist</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The oldest %1 rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number of rows unavailable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>views::PageState</name>
    <message>
        <source>Working</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the server said</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>views::QueuesPage</name>
    <message>
        <source>Queues</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>queue or note contains…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Queue or note contains</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter queues</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No queue under the prefix “%1”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A queue appears with its first job. If your workers use another prefix, set it in the connection (Ctrl+O).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The figures below are from the last answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 queues</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 queues</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 needs attention</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 need attention</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>views::ThroughputChart</name>
    <message>
        <source>%1 min ago</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows handed over per second, last five minutes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Handed over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>per second, last five minutes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>now %1 per second</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
