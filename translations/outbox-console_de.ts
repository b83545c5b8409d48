<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
<context>
    <name>app::Window</name>
    <message>
        <source>Outbox Console</source>
        <translation>Outbox Console</translation>
    </message>
</context>
<context>
    <name>app::WindowController</name>
    <message>
        <source>Starting the sandbox…</source>
        <translation>Sandbox wird gestartet…</translation>
    </message>
    <message>
        <source>Events</source>
        <comment>heading of the navigation</comment>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <source>Outbox</source>
        <translation>Outbox</translation>
    </message>
    <message>
        <source>Downstream</source>
        <comment>heading of the navigation</comment>
        <translation>Nachgelagert</translation>
    </message>
    <message>
        <source>Queues</source>
        <translation>Queues</translation>
    </message>
    <message>
        <source>Operate</source>
        <comment>heading of the navigation</comment>
        <translation>Betrieb</translation>
    </message>
    <message>
        <source>Dispatcher</source>
        <translation>Dispatcher</translation>
    </message>
    <message>
        <source>Stopping the dispatcher…</source>
        <translation>Dispatcher wird gestoppt…</translation>
    </message>
    <message>
        <source>Asking the keyring for the passwords of %1…</source>
        <translation>Schlüsselbund wird nach den Passwörtern von %1 gefragt…</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>Verbindung wird hergestellt</translation>
    </message>
    <message>
        <source>Waiting for the connection.</source>
        <translation>Wartet auf die Verbindung.</translation>
    </message>
    <message>
        <source>PostgreSQL –</source>
        <translation>PostgreSQL –</translation>
    </message>
    <message>
        <source>Redis –</source>
        <translation>Redis –</translation>
    </message>
    <message>
        <source>Oldest due –</source>
        <translation>Fällig seit –</translation>
    </message>
    <message>
        <source>The sandbox is starting.</source>
        <translation>Die Sandbox startet.</translation>
    </message>
    <message>
        <source>Redis %1</source>
        <translation>Redis %1</translation>
    </message>
    <message>
        <source>A setting in the environment cannot be used.</source>
        <translation>Eine Einstellung in der Umgebung ist unbrauchbar.</translation>
    </message>
    <message>
        <source>PostgreSQL unavailable</source>
        <translation>PostgreSQL nicht erreichbar</translation>
    </message>
    <message>
        <source>No outbox table</source>
        <translation>Keine Outbox-Tabelle</translation>
    </message>
    <message>
        <source>Oldest due unavailable</source>
        <translation>Fälligkeit unbekannt</translation>
    </message>
    <message>
        <source>Redis unavailable</source>
        <translation>Redis nicht erreichbar</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>Verbunden</translation>
    </message>
    <message>
        <source>PostgreSQL %1</source>
        <translation>PostgreSQL %1</translation>
    </message>
    <message>
        <source>%1 rows are due.</source>
        <translation>%1 Zeilen sind fällig.</translation>
    </message>
    <message>
        <source>Nothing due</source>
        <translation>Nichts fällig</translation>
    </message>
    <message>
        <source>Oldest due %1</source>
        <translation>Fällig seit %1</translation>
    </message>
    <message>
        <source>This console: %1 questions/s</source>
        <translation>Diese Konsole: %1 Anfragen/s</translation>
    </message>
    <message>
        <source>Asked of PostgreSQL and Redis by this window, over the last half minute. Hidden, minimised or paused it asks nothing.</source>
        <translation>Anfragen dieses Fensters an PostgreSQL und Redis in der letzten halben Minute. Verborgen, minimiert oder pausiert fragt es nichts.</translation>
    </message>
    <message>
        <source>Dispatcher not running here</source>
        <translation>Dispatcher läuft hier nicht</translation>
    </message>
    <message>
        <source>Dispatcher starting</source>
        <translation>Dispatcher startet</translation>
    </message>
    <message>
        <source>Dispatcher running</source>
        <translation>Dispatcher läuft</translation>
    </message>
    <message>
        <source>Dispatcher recovering</source>
        <translation>Dispatcher im Wiederanlauf</translation>
    </message>
    <message>
        <source>Dispatcher stopping</source>
        <translation>Dispatcher stoppt</translation>
    </message>
</context>
<context>
    <name>engine::bullmq::Enqueuer</name>
    <message>
        <source>BullMQ cannot take a job with the id &quot;%1&quot;.</source>
        <translation>BullMQ kann keinen Job mit der ID &quot;%1&quot; annehmen.</translation>
    </message>
    <message>
        <source>Change the job id template.</source>
        <translation>Die Vorlage für die Job-ID ändern.</translation>
    </message>
</context>
<context>
    <name>engine::bullmq::ServerPolicy</name>
    <message>
        <source>Redis at %1 may evict keys (maxmemory-policy is %2), and with them jobs.</source>
        <translation>Redis unter %1 kann Schlüssel verdrängen (maxmemory-policy ist %2), und mit ihnen Jobs.</translation>
    </message>
    <message>
        <source>Set it with: redis-cli CONFIG SET maxmemory-policy noeviction.</source>
        <translation>Setzen mit: redis-cli CONFIG SET maxmemory-policy noeviction.</translation>
    </message>
</context>
<context>
    <name>engine::config::DispatcherSettings</name>
    <message>
        <source>Pause between looks at the table when nothing is due, in ms</source>
        <translation>Pause zwischen zwei Blicken in die Tabelle, wenn nichts fällig ist, in ms</translation>
    </message>
    <message>
        <source>Most rows claimed at once</source>
        <translation>Höchstzahl auf einmal beanspruchter Zeilen</translation>
    </message>
    <message>
        <source>Most claimed events in flight to their destinations at once</source>
        <translation>Höchstzahl beanspruchter Ereignisse, die gleichzeitig zu ihren Zielen unterwegs sind</translation>
    </message>
    <message>
        <source>Retries before an event is a dead letter (event layout)</source>
        <translation>Wiederholungen, bevor ein Ereignis ein Dead Letter ist (Event-Layout)</translation>
    </message>
    <message>
        <source>Age at which handed-over rows may be removed, in hours</source>
        <translation>Alter, ab dem übergebene Zeilen entfernt werden dürfen, in Stunden</translation>
    </message>
    <message>
        <source>Most handed-over rows removed per run</source>
        <translation>Höchstzahl je Lauf entfernter übergebener Zeilen</translation>
    </message>
    <message>
        <source>%1 is &quot;%2&quot;.</source>
        <translation>%1 ist &quot;%2&quot;.</translation>
    </message>
    <message>
        <source>It takes true or false.</source>
        <translation>Erlaubt ist true oder false.</translation>
    </message>
    <message>
        <source>It takes a whole number from %1 to %2.</source>
        <translation>Erlaubt ist eine ganze Zahl von %1 bis %2.</translation>
    </message>
    <message>
        <source>Dispatch from the start; otherwise only after an explicit start</source>
        <translation>Von Anfang an zustellen; sonst erst nach ausdrücklichem Start</translation>
    </message>
</context>
<context>
    <name>engine::dispatch::DispatchLoop</name>
    <message>
        <source>The grace time is over; rows that stay claimed until their lease ends: %1.</source>
        <translation>Die Nachfrist ist vorbei; Zeilen, die bis zum Ende ihrer Lease beansprucht bleiben: %1.</translation>
    </message>
    <message>
        <source>Started on %1, handing over to the queues at %2.</source>
        <translation>Gestartet auf %1, übergibt an die Queues unter %2.</translation>
    </message>
    <message>
        <source>No route takes the event type %1.</source>
        <translation>Keine Route nimmt den Ereignistyp %1.</translation>
    </message>
    <message>
        <source>Rows settled too late, so that nothing was changed: %1.</source>
        <translation>Zu spät abgeschlossene Zeilen, an denen nichts geändert wurde: %1.</translation>
    </message>
    <message>
        <source>New dead letters: %1.</source>
        <translation>Neue Dead Letters: %1.</translation>
    </message>
    <message>
        <source>Trying again.</source>
        <translation>Neuer Versuch.</translation>
    </message>
    <message>
        <source>Stopping: no new claims, what is in flight is settled.</source>
        <translation>Stoppt: Nichts Neues wird beansprucht, was unterwegs ist, wird abgeschlossen.</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Gestoppt.</translation>
    </message>
    <message>
        <source>Handed over: %1, of which %2 had their job already.</source>
        <translation>Übergeben: %1, davon hatten %2 ihren Job bereits.</translation>
    </message>
    <message>
        <source>Handed over: %1.</source>
        <translation>Übergeben: %1.</translation>
    </message>
</context>
<context>
    <name>engine::dispatch::Dispatcher</name>
    <message>
        <source>No route takes the event type %1.</source>
        <translation>Keine Route nimmt den Ereignistyp %1.</translation>
    </message>
</context>
<context>
    <name>engine::dispatch::QueueDestination</name>
    <message>
        <source>The job id template &quot;%1&quot; does not hold {id} once.</source>
        <translation>Die Vorlage &quot;%1&quot; für die Job-ID enthält {id} nicht genau einmal.</translation>
    </message>
    <message>
        <source>The usual one is outbox:{id}.</source>
        <translation>Üblich ist outbox:{id}.</translation>
    </message>
    <message>
        <source>The payload is not JSON: %1, at byte %2.</source>
        <translation>Die Payload ist kein JSON: %1, bei Byte %2.</translation>
    </message>
    <message>
        <source>No worker could read it; correct the row and requeue it.</source>
        <translation>Kein Worker könnte sie lesen; die Zeile berichtigen und erneut einreihen.</translation>
    </message>
    <message>
        <source>The job&apos;s key in queue %1 holds something that is no job.</source>
        <translation>Der Schlüssel des Jobs in der Queue %1 enthält etwas, das kein Job ist.</translation>
    </message>
</context>
<context>
    <name>engine::dispatch::Router</name>
    <message>
        <source>The routes file %1 cannot be read: %2.</source>
        <translation>Die Routendatei %1 ist nicht lesbar: %2.</translation>
    </message>
    <message>
        <source>It looks like {&quot;routes&quot;: [{&quot;prefix&quot;: &quot;mail.&quot;, &quot;queue&quot;: &quot;outbox.mail&quot;}]}.</source>
        <translation>Sie sieht so aus: {&quot;routes&quot;: [{&quot;prefix&quot;: &quot;mail.&quot;, &quot;queue&quot;: &quot;outbox.mail&quot;}]}.</translation>
    </message>
    <message>
        <source>The routes file %1 is not JSON: %2 at byte %3.</source>
        <translation>Die Routendatei %1 ist kein JSON: %2 bei Byte %3.</translation>
    </message>
    <message>
        <source>The routes file %1 has the prefix &quot;%2&quot;.</source>
        <translation>Die Routendatei %1 hat das Präfix &quot;%2&quot;.</translation>
    </message>
    <message>
        <source>A prefix is lower-case words, each followed by a dot.</source>
        <translation>Ein Präfix besteht aus kleingeschriebenen Wörtern, jedes gefolgt von einem Punkt.</translation>
    </message>
    <message>
        <source>The routes file %1 names no queue for &quot;%2&quot;.</source>
        <translation>Die Routendatei %1 nennt keine Queue für &quot;%2&quot;.</translation>
    </message>
    <message>
        <source>The routes file %1 holds no routes.</source>
        <translation>Die Routendatei %1 enthält keine Routen.</translation>
    </message>
</context>
<context>
    <name>engine::outbox::Discovery</name>
    <message>
        <source>&quot;%1&quot; is no table name.</source>
        <translation>&quot;%1&quot; ist kein Tabellenname.</translation>
    </message>
    <message>
        <source>Write it as table or schema.table, with double quotes where a name holds a dot.</source>
        <translation>Als table oder schema.table schreiben, mit doppelten Anführungszeichen, wenn ein Name einen Punkt enthält.</translation>
    </message>
    <message>
        <source>%1 layout lacks: %2</source>
        <translation>%1-Layout, es fehlt: %2</translation>
    </message>
    <message>
        <source>%1 tables fit an outbox layout: %2.</source>
        <translation>%1 Tabellen passen zu einem Outbox-Layout: %2.</translation>
    </message>
    <message>
        <source>Choose one: in the connection&apos;s Table field, or with --table &apos;%1&apos; in a terminal.</source>
        <translation>Eine wählen: im Feld „Tabelle“ der Verbindung oder mit --table &apos;%1&apos; im Terminal.</translation>
    </message>
    <message>
        <source>There is no table %1 in this database.</source>
        <translation>Es gibt keine Tabelle %1 in dieser Datenbank.</translation>
    </message>
    <message>
        <source>Check the name, or create it with: outbox-console schema apply.</source>
        <translation>Den Namen prüfen oder sie anlegen mit: outbox-console schema apply.</translation>
    </message>
    <message>
        <source>The table %1 fits no outbox layout (%2; %3).</source>
        <translation>Die Tabelle %1 passt zu keinem Outbox-Layout (%2; %3).</translation>
    </message>
    <message>
        <source>See both layouts with: outbox-console schema print.</source>
        <translation>Beide Layouts zeigt: outbox-console schema print.</translation>
    </message>
    <message>
        <source>No table fits an outbox layout; nearest is %1 (%2).</source>
        <translation>Keine Tabelle passt zu einem Outbox-Layout; am nächsten kommt %1 (%2).</translation>
    </message>
    <message>
        <source>This database has no outbox table.</source>
        <translation>Diese Datenbank hat keine Outbox-Tabelle.</translation>
    </message>
    <message>
        <source>Create one with: outbox-console schema apply.</source>
        <translation>Eine anlegen mit: outbox-console schema apply.</translation>
    </message>
</context>
<context>
    <name>engine::outbox::EventType</name>
    <message>
        <source>&quot;%1&quot; is no event type.</source>
        <translation>&quot;%1&quot; ist kein Ereignistyp.</translation>
    </message>
    <message>
        <source>An event type is lower-case and has at least two words joined by dots, for instance billing.subscription.updated.</source>
        <translation>Ein Ereignistyp ist kleingeschrieben und hat mindestens zwei durch Punkte verbundene Wörter, zum Beispiel billing.subscription.updated.</translation>
    </message>
</context>
<context>
    <name>engine::outbox::Publisher</name>
    <message>
        <source>The %1 is not JSON: %2, at line %3, column %4.</source>
        <translation>Kein gültiges JSON (%1): %2, in Zeile %3, Spalte %4.</translation>
    </message>
    <message>
        <source>Nothing was written.</source>
        <translation>Es wurde nichts geschrieben.</translation>
    </message>
    <message>
        <source>The event has no tenant.</source>
        <translation>Das Ereignis hat keinen Mandanten.</translation>
    </message>
    <message>
        <source>payload</source>
        <translation>Payload</translation>
    </message>
    <message>
        <source>The event holds a NUL byte.</source>
        <translation>Das Ereignis enthält ein NUL-Byte.</translation>
    </message>
    <message>
        <source>The delay is negative.</source>
        <translation>Die Verzögerung ist negativ.</translation>
    </message>
    <message>
        <source>The message layout has no dispatch key.</source>
        <translation>Das Message-Layout hat keinen Dispatch-Key.</translation>
    </message>
    <message>
        <source>Leave the key out, or choose a table of the event layout.</source>
        <translation>Den Key weglassen oder eine Tabelle mit Event-Layout wählen.</translation>
    </message>
    <message>
        <source>%1 has no unique index on its dispatch key, so the key would not keep a second event out.</source>
        <translation>%1 hat keinen eindeutigen Index auf dem Dispatch-Key; der Key würde ein zweites Ereignis also nicht verhindern.</translation>
    </message>
    <message>
        <source>Ask the table&apos;s owner for the index, or leave the key out.</source>
        <translation>Den Index vom Eigentümer der Tabelle anlegen lassen oder den Key weglassen.</translation>
    </message>
    <message>
        <source>metadata</source>
        <translation>Metadaten</translation>
    </message>
    <message>
        <source>The dispatch key &quot;%1&quot; was taken by a row that is gone or not visible to this transaction.</source>
        <translation>Den Dispatch-Key &quot;%1&quot; belegt eine Zeile, die nicht mehr da oder für diese Transaktion nicht sichtbar ist.</translation>
    </message>
    <message>
        <source>Roll back and publish again.</source>
        <translation>Zurückrollen und erneut veröffentlichen.</translation>
    </message>
</context>
<context>
    <name>engine::outbox::Reader</name>
    <message>
        <source>%1 has no row with id %2 (any more).</source>
        <translation>%1 hat keine Zeile (mehr) mit der ID %2.</translation>
    </message>
</context>
<context>
    <name>engine::outbox::Schema</name>
    <message>
        <source>No schema of this session&apos;s search path exists.</source>
        <translation>Kein Schema aus dem Suchpfad dieser Sitzung existiert.</translation>
    </message>
    <message>
        <source>Create one, or name one with ?options=-csearch_path%3Dname in the URL.</source>
        <translation>Eines anlegen oder in der URL mit ?options=-csearch_path%3Dname eines nennen.</translation>
    </message>
</context>
<context>
    <name>engine::redis::Client</name>
    <message>
        <source>It did not answer in time.</source>
        <translation>Keine Antwort innerhalb der Frist.</translation>
    </message>
    <message>
        <source>The connection was closed.</source>
        <translation>Die Verbindung wurde geschlossen.</translation>
    </message>
    <message>
        <source>There is no connection.</source>
        <translation>Es besteht keine Verbindung.</translation>
    </message>
    <message>
        <source>It does not speak Redis&apos; protocol.</source>
        <translation>Die Gegenstelle spricht nicht das Redis-Protokoll.</translation>
    </message>
    <message>
        <source>Cannot connect to Redis at %1: %2</source>
        <translation>Keine Verbindung zu Redis unter %1: %2</translation>
    </message>
    <message>
        <source>Check host, port and password, and that the server runs.</source>
        <translation>Host, Port und Passwort prüfen und ob der Server läuft.</translation>
    </message>
    <message>
        <source>The connection to Redis at %1 was lost: %2</source>
        <translation>Die Verbindung zu Redis unter %1 ging verloren: %2</translation>
    </message>
    <message>
        <source>Redis at %1 refused user name or password.</source>
        <translation>Redis unter %1 hat Benutzername oder Passwort abgelehnt.</translation>
    </message>
    <message>
        <source>Check both in the Redis URL; special characters are written as %XX.</source>
        <translation>Beides in der Redis-URL prüfen; Sonderzeichen werden als %XX geschrieben.</translation>
    </message>
    <message>
        <source>Redis at %1 does not permit this: %2</source>
        <translation>Redis unter %1 erlaubt das nicht: %2</translation>
    </message>
    <message>
        <source>Ask for the missing right in the server&apos;s ACL.</source>
        <translation>Um das fehlende Recht in der ACL des Servers bitten.</translation>
    </message>
    <message>
        <source>Redis at %1 cannot take this now: %2</source>
        <translation>Redis unter %1 kann das gerade nicht annehmen: %2</translation>
    </message>
    <message>
        <source>Redis at %1 answered with an error: %2</source>
        <translation>Redis unter %1 antwortete mit einem Fehler: %2</translation>
    </message>
</context>
<context>
    <name>engine::redis::Endpoint</name>
    <message>
        <source>Write it as redis://user:password@host:6379/0, rediss:// for TLS, or redis+unix:///path/to/socket.</source>
        <translation>Als redis://user:password@host:6379/0, rediss:// für TLS oder redis+unix:///path/to/socket schreiben.</translation>
    </message>
    <message>
        <source>The Redis URL is empty.</source>
        <translation>Die Redis-URL ist leer.</translation>
    </message>
    <message>
        <source>The Redis URL cannot be read.</source>
        <translation>Die Redis-URL ist nicht lesbar.</translation>
    </message>
    <message>
        <source>The Redis URL names no host.</source>
        <translation>Die Redis-URL nennt keinen Host.</translation>
    </message>
    <message>
        <source>The Redis URL names no socket path.</source>
        <translation>Die Redis-URL nennt keinen Socket-Pfad.</translation>
    </message>
    <message>
        <source>The Redis URL does not begin with redis:// or rediss://.</source>
        <translation>Die Redis-URL beginnt nicht mit redis:// oder rediss://.</translation>
    </message>
    <message>
        <source>The Redis URL names the database &quot;%1&quot;, which is no number.</source>
        <translation>Die Redis-URL nennt die Datenbank &quot;%1&quot;, das ist keine Zahl.</translation>
    </message>
</context>
<context>
    <name>engine::sandbox::Account</name>
    <message>
        <source>There is no unprivileged user to run the sandbox&apos;s servers as.</source>
        <translation>Es gibt keinen unprivilegierten Benutzer, unter dem die Server der Sandbox laufen könnten.</translation>
    </message>
    <message>
        <source>Run the console as a normal user, or create the user &quot;postgres&quot;.</source>
        <translation>Die Konsole als normaler Benutzer starten oder den Benutzer &quot;postgres&quot; anlegen.</translation>
    </message>
    <message>
        <source>The folder %1 cannot be prepared: %2.</source>
        <translation>Der Ordner %1 lässt sich nicht vorbereiten: %2.</translation>
    </message>
    <message>
        <source>Check the rights on it and the free space of its disk.</source>
        <translation>Die Rechte darauf und den freien Platz des Datenträgers prüfen.</translation>
    </message>
    <message>
        <source>%1 is not a folder of the user who runs the sandbox&apos;s servers.</source>
        <translation>%1 ist kein Ordner des Benutzers, unter dem die Server der Sandbox laufen.</translation>
    </message>
    <message>
        <source>Move it away, or choose another folder for the sandbox.</source>
        <translation>Ihn wegbewegen oder einen anderen Ordner für die Sandbox wählen.</translation>
    </message>
</context>
<context>
    <name>engine::sandbox::Folder</name>
    <message>
        <source>The sandbox&apos;s folder %1 cannot be used: %2.</source>
        <translation>Der Ordner %1 der Sandbox ist unbrauchbar: %2.</translation>
    </message>
    <message>
        <source>Check the rights on it and the free space of its disk, or choose another place by setting XDG_DATA_HOME.</source>
        <translation>Die Rechte darauf und den freien Platz des Datenträgers prüfen oder mit XDG_DATA_HOME einen anderen Ort wählen.</translation>
    </message>
    <message>
        <source>it is a file</source>
        <translation>er ist eine Datei</translation>
    </message>
    <message>
        <source>The folder %1 belongs to another user.</source>
        <translation>Der Ordner %1 gehört einem anderen Benutzer.</translation>
    </message>
    <message>
        <source>Run the console as that user, or choose another place by setting XDG_DATA_HOME.</source>
        <translation>Die Konsole als dieser Benutzer starten oder mit XDG_DATA_HOME einen anderen Ort wählen.</translation>
    </message>
    <message>
        <source>The folder %1 is not empty and was not made by Outbox Console, so it is left alone.</source>
        <translation>Der Ordner %1 ist nicht leer und stammt nicht von Outbox Console, er bleibt daher unberührt.</translation>
    </message>
    <message>
        <source>Move its content away, or choose another place by setting XDG_DATA_HOME.</source>
        <translation>Den Inhalt wegbewegen oder mit XDG_DATA_HOME einen anderen Ort wählen.</translation>
    </message>
    <message>
        <source>The user %1, who runs the sandbox&apos;s servers, cannot enter %2.</source>
        <translation>Der Benutzer %1, unter dem die Server der Sandbox laufen, hat keinen Zugang zu %2.</translation>
    </message>
    <message>
        <source>Let others pass through the folders above it (chmod o+x), or run the console as a normal user.</source>
        <translation>Anderen den Durchgang durch die übergeordneten Ordner erlauben (chmod o+x) oder die Konsole als normaler Benutzer starten.</translation>
    </message>
</context>
<context>
    <name>engine::sandbox::FolderLock</name>
    <message>
        <source>The file %1 cannot be locked: %2.</source>
        <translation>Die Datei %1 lässt sich nicht sperren: %2.</translation>
    </message>
    <message>
        <source>Check the rights on it and the space on its disk.</source>
        <translation>Die Rechte darauf und den Platz auf dem Datenträger prüfen.</translation>
    </message>
</context>
<context>
    <name>engine::sandbox::PostgresServer</name>
    <message>
        <source>No temporary file can be written: %1.</source>
        <translation>Temporäre Datei nicht schreibbar: %1.</translation>
    </message>
    <message>
        <source>Check the space on the disk of /tmp.</source>
        <translation>Den Platz auf dem Datenträger von /tmp prüfen.</translation>
    </message>
    <message>
        <source>Creating the database in %1 took too long.</source>
        <translation>Das Anlegen der Datenbank in %1 dauerte zu lange.</translation>
    </message>
    <message>
        <source>The disk may be very slow or hang; try another folder.</source>
        <translation>Der Datenträger ist vielleicht sehr langsam oder hängt; einen anderen Ordner versuchen.</translation>
    </message>
    <message>
        <source>The database in %1 could not be created: %2.</source>
        <translation>Die Datenbank in %1 konnte nicht angelegt werden: %2.</translation>
    </message>
    <message>
        <source>Check the folder&apos;s rights and the space on its disk; the log is %1.</source>
        <translation>Die Rechte des Ordners und den Platz auf dem Datenträger prüfen; das Protokoll ist %1.</translation>
    </message>
    <message>
        <source>PostgreSQL ended while starting: %1.</source>
        <translation>PostgreSQL endete beim Start: %1.</translation>
    </message>
    <message>
        <source>PostgreSQL does not take connections.</source>
        <translation>PostgreSQL nimmt keine Verbindungen an.</translation>
    </message>
    <message>
        <source>The log is %1. To start afresh, move the folder %2 away.</source>
        <translation>Das Protokoll ist %1. Für einen Neuanfang den Ordner %2 wegbewegen.</translation>
    </message>
</context>
<context>
    <name>engine::sandbox::RedisServer</name>
    <message>
        <source>Redis ended while starting: %1.</source>
        <translation>Redis endete beim Start: %1.</translation>
    </message>
    <message>
        <source>Redis does not answer: %1</source>
        <translation>Redis antwortet nicht: %1</translation>
    </message>
    <message>
        <source>The log is %1. To start afresh, move the folder %2 away.</source>
        <translation>Das Protokoll ist %1. Für einen Neuanfang den Ordner %2 wegbewegen.</translation>
    </message>
</context>
<context>
    <name>engine::sandbox::SampleData</name>
    <message>
        <source>%1 is missing in this program.</source>
        <translation>%1 fehlt in diesem Programm.</translation>
    </message>
</context>
<context>
    <name>engine::sandbox::Sandbox</name>
    <message>
        <source>The user %1, who runs the sandbox&apos;s servers, cannot enter %2; using %3.</source>
        <translation>Der Benutzer %1, unter dem die Server der Sandbox laufen, hat keinen Zugang zu %2; verwendet wird %3.</translation>
    </message>
    <message>
        <source>Waiting for another console that starts or stops the sandbox ...</source>
        <translation>Wartet auf eine andere Konsole, die die Sandbox startet oder stoppt ...</translation>
    </message>
    <message>
        <source>Another console (process %1) holds the sandbox in %2 and does not become ready.</source>
        <translation>Eine andere Konsole (Prozess %1) hält die Sandbox in %2 und wird nicht bereit.</translation>
    </message>
    <message>
        <source>End that process, then start again.</source>
        <translation>Diesen Prozess beenden, dann erneut starten.</translation>
    </message>
    <message>
        <source>The sandbox is not ready.</source>
        <translation>Die Sandbox ist nicht bereit.</translation>
    </message>
    <message>
        <source>Starting PostgreSQL and Redis ...</source>
        <translation>PostgreSQL und Redis werden gestartet ...</translation>
    </message>
    <message>
        <source>Ending a server that a killed console left behind (process %1) ...</source>
        <translation>Beendet einen Server, den eine abgebrochene Konsole hinterließ (Prozess %1) ...</translation>
    </message>
    <message>
        <source>The process %1 still runs on %2 and cannot be ended.</source>
        <translation>Der Prozess %1 läuft noch auf %2 und lässt sich nicht beenden.</translation>
    </message>
    <message>
        <source>End it, then start again.</source>
        <translation>Ihn beenden, dann erneut starten.</translation>
    </message>
    <message>
        <source>The sandbox&apos;s data are of PostgreSQL %1, which is not installed (PostgreSQL %2 is).</source>
        <translation>Die Daten der Sandbox stammen von PostgreSQL %1, das nicht installiert ist (installiert ist PostgreSQL %2).</translation>
    </message>
    <message>
        <source>The sandbox&apos;s database is damaged.</source>
        <translation>Die Datenbank der Sandbox ist beschädigt.</translation>
    </message>
    <message>
        <source>There are only %1 MB free for the sandbox in %2; it needs %3 MB.</source>
        <translation>Für die Sandbox sind nur %1 MB in %2 frei; sie braucht %3 MB.</translation>
    </message>
    <message>
        <source>Free some space, or choose another place by setting XDG_DATA_HOME.</source>
        <translation>Platz schaffen oder mit XDG_DATA_HOME einen anderen Ort wählen.</translation>
    </message>
    <message>
        <source>Creating a private PostgreSQL %1 in %2 ...</source>
        <translation>Privates PostgreSQL %1 wird in %2 angelegt ...</translation>
    </message>
    <message>
        <source>%1 cannot be renamed.</source>
        <translation>%1 lässt sich nicht umbenennen.</translation>
    </message>
    <message>
        <source>Check the rights on its folder and the space on its disk.</source>
        <translation>Die Rechte des Ordners und den Platz auf dem Datenträger prüfen.</translation>
    </message>
    <message>
        <source>Move %1 away, then start again.</source>
        <translation>%1 wegbewegen, dann erneut starten.</translation>
    </message>
    <message>
        <source>They are kept in %1; a new database is made.</source>
        <translation>Die alten Daten bleiben in %1; eine neue Datenbank wird angelegt.</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2.</source>
        <translation>%1 ist nicht schreibbar: %2.</translation>
    </message>
</context>
<context>
    <name>engine::sandbox::ServerProcess</name>
    <message>
        <source>%1 cannot be started: %2.</source>
        <translation>%1 lässt sich nicht starten: %2.</translation>
    </message>
    <message>
        <source>Check its rights, and that %1 can be written.</source>
        <translation>Die Rechte prüfen und ob %1 schreibbar ist.</translation>
    </message>
</context>
<context>
    <name>engine::sandbox::ServerPrograms</name>
    <message>
        <source>The sandbox needs the program %1, which is not installed.</source>
        <translation>Die Sandbox braucht das Programm %1, das nicht installiert ist.</translation>
    </message>
    <message>
        <source>Install Debian&apos;s package %1: sudo apt-get install --no-install-recommends %1</source>
        <translation>Das Debian-Paket %1 installieren: sudo apt-get install --no-install-recommends %1</translation>
    </message>
</context>
<context>
    <name>engine::secrets</name>
    <message>
        <source>Install and unlock a keyring (for instance gnome-keyring), or type the password each time.</source>
        <translation>Einen Schlüsselbund (zum Beispiel gnome-keyring) installieren und entsperren oder das Passwort jedes Mal eingeben.</translation>
    </message>
    <message>
        <source>The keyring reported an error.</source>
        <translation>Der Schlüsselbund meldete einen Fehler.</translation>
    </message>
    <message>
        <source>The keyring did not give access.</source>
        <translation>Der Schlüsselbund gab keinen Zugriff.</translation>
    </message>
    <message>
        <source>This desktop offers no keyring, so passwords cannot be saved.</source>
        <translation>Dieser Desktop bietet keinen Schlüsselbund, Passwörter lassen sich nicht speichern.</translation>
    </message>
</context>
<context>
    <name>engine::sql::Connection</name>
    <message>
        <source>There is not enough memory for a database connection.</source>
        <translation>Der Speicher reicht nicht für eine Datenbankverbindung.</translation>
    </message>
    <message>
        <source>PostgreSQL at %1 did not answer within %2 s.</source>
        <translation>PostgreSQL unter %1 antwortete nicht innerhalb von %2 s.</translation>
    </message>
    <message>
        <source>Check host, port and firewall, and that the server runs.</source>
        <translation>Host, Port und Firewall prüfen und ob der Server läuft.</translation>
    </message>
    <message>
        <source>The connection to PostgreSQL at %1 is closed.</source>
        <translation>Die Verbindung zu PostgreSQL unter %1 ist geschlossen.</translation>
    </message>
    <message>
        <source>The connection to PostgreSQL at %1 was lost.</source>
        <translation>Die Verbindung zu PostgreSQL unter %1 ging verloren.</translation>
    </message>
    <message>
        <source>PostgreSQL at %1 started a COPY, which is not supported here.</source>
        <translation>PostgreSQL unter %1 begann ein COPY, das wird hier nicht unterstützt.</translation>
    </message>
    <message>
        <source>PostgreSQL at %1 did not answer in time.</source>
        <translation>PostgreSQL unter %1 antwortete nicht rechtzeitig.</translation>
    </message>
    <message>
        <source>The server may be overloaded or a lock may be held; the outcome is unknown.</source>
        <translation>Der Server ist vielleicht überlastet oder eine Sperre wird gehalten; der Ausgang ist ungewiss.</translation>
    </message>
    <message>
        <source>The work on PostgreSQL at %1 was stopped.</source>
        <translation>Die Arbeit auf PostgreSQL unter %1 wurde abgebrochen.</translation>
    </message>
</context>
<context>
    <name>engine::sql::DatabaseUrl</name>
    <message>
        <source>Write it as postgresql://user@host:5432/database.</source>
        <translation>Als postgresql://user@host:5432/database schreiben.</translation>
    </message>
    <message>
        <source>The database URL is empty.</source>
        <translation>Die Datenbank-URL ist leer.</translation>
    </message>
    <message>
        <source>The database URL does not begin with postgresql://.</source>
        <translation>Die Datenbank-URL beginnt nicht mit postgresql://.</translation>
    </message>
    <message>
        <source>The database URL cannot be read.</source>
        <translation>Die Datenbank-URL ist nicht lesbar.</translation>
    </message>
    <message>
        <source>Special characters in user name or password are written as %XX, for instance %40 for @.</source>
        <translation>Sonderzeichen in Benutzername oder Passwort werden als %XX geschrieben, zum Beispiel %40 für @.</translation>
    </message>
</context>
<context>
    <name>engine::sql::SqlError</name>
    <message>
        <source>Cannot connect to PostgreSQL at %1.</source>
        <translation>Keine Verbindung zu PostgreSQL unter %1.</translation>
    </message>
    <message>
        <source>PostgreSQL at %1 asks for a password and none was given.</source>
        <translation>PostgreSQL unter %1 verlangt ein Passwort, es wurde keines angegeben.</translation>
    </message>
    <message>
        <source>Put it into the URL, or into ~/.pgpass.</source>
        <translation>In die URL oder in ~/.pgpass eintragen.</translation>
    </message>
    <message>
        <source>PostgreSQL at %1 refused user name or password.</source>
        <translation>PostgreSQL unter %1 hat Benutzername oder Passwort abgelehnt.</translation>
    </message>
    <message>
        <source>Check both in the database URL; special characters are written as %XX.</source>
        <translation>Beides in der Datenbank-URL prüfen; Sonderzeichen werden als %XX geschrieben.</translation>
    </message>
    <message>
        <source>The server says: %1</source>
        <translation>Der Server sagt: %1</translation>
    </message>
    <message>
        <source>Nothing listens there: check host and port, and that the server runs.</source>
        <translation>Dort lauscht nichts: Host und Port prüfen und ob der Server läuft.</translation>
    </message>
    <message>
        <source>The host name is not known: check its spelling.</source>
        <translation>Der Hostname ist unbekannt: die Schreibweise prüfen.</translation>
    </message>
    <message>
        <source>PostgreSQL at %1: %2.</source>
        <translation>PostgreSQL unter %1: %2.</translation>
    </message>
    <message>
        <source>The statement ran into its time limit; narrow the filter or try when the server is quieter.</source>
        <translation>Die Anweisung überschritt ihr Zeitlimit; den Filter enger fassen oder es bei weniger Last versuchen.</translation>
    </message>
    <message>
        <source>This server or transaction only reads; connect to the primary.</source>
        <translation>Dieser Server oder diese Transaktion liest nur; mit dem Primary verbinden.</translation>
    </message>
    <message>
        <source>Ask the database&apos;s owner for the missing right.</source>
        <translation>Den Eigentümer der Datenbank um das fehlende Recht bitten.</translation>
    </message>
</context>
<context>
    <name>engine::sql::Transaction</name>
    <message>
        <source>The transaction was rolled back; nothing was written.</source>
        <translation>Die Transaktion wurde zurückgerollt; es wurde nichts geschrieben.</translation>
    </message>
</context>
<context>
    <name>engine::watch::Doctor</name>
    <message>
        <source>Dispatcher settings</source>
        <translation>Dispatcher-Einstellungen</translation>
    </message>
    <message>
        <source>Batch %1, concurrency %2, interval %3 ms.</source>
        <translation>Batch %1, Parallelität %2, Intervall %3 ms.</translation>
    </message>
    <message>
        <source>PostgreSQL</source>
        <translation>PostgreSQL</translation>
    </message>
    <message>
        <source>Connected to %1, version %2.</source>
        <translation>Verbunden mit %1, Version %2.</translation>
    </message>
    <message>
        <source>Versions before 12 are not tested.</source>
        <translation>Versionen vor 12 sind nicht getestet.</translation>
    </message>
    <message>
        <source>Database session</source>
        <translation>Datenbanksitzung</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>This server only reads; a dispatcher cannot work on it.</source>
        <translation>Dieser Server liest nur; ein Dispatcher kann darauf nicht arbeiten.</translation>
    </message>
    <message>
        <source>Connect to the primary to publish or dispatch.</source>
        <translation>Zum Veröffentlichen oder Zustellen mit dem Primary verbinden.</translation>
    </message>
    <message>
        <source>The server takes writes.</source>
        <translation>Der Server nimmt Schreibzugriffe an.</translation>
    </message>
    <message>
        <source>Clocks</source>
        <translation>Uhren</translation>
    </message>
    <message>
        <source>This machine is %1 ms from the database&apos;s clock; its time zone is %2.</source>
        <translation>Dieser Rechner weicht %1 ms von der Uhr der Datenbank ab; deren Zeitzone ist %2.</translation>
    </message>
    <message>
        <source>All decisions follow the database&apos;s clock; ages shown here are off by this much.</source>
        <translation>Alle Entscheidungen folgen der Uhr der Datenbank; hier gezeigte Alter sind um so viel falsch.</translation>
    </message>
    <message>
        <source>Outbox table</source>
        <translation>Outbox-Tabelle</translation>
    </message>
    <message>
        <source>%1 has the %2 layout.</source>
        <translation>%1 hat das %2-Layout.</translation>
    </message>
    <message>
        <source>Index for claims</source>
        <translation>Index zum Beanspruchen</translation>
    </message>
    <message>
        <source>There is an index on status and schedule.</source>
        <translation>Es gibt einen Index auf Status und Fälligkeit.</translation>
    </message>
    <message>
        <source>No index begins with (%1, %2): every claim reads the whole table.</source>
        <translation>Kein Index beginnt mit (%1, %2): Jedes Beanspruchen liest die ganze Tabelle.</translation>
    </message>
    <message>
        <source>Ask the table&apos;s owner for: CREATE INDEX CONCURRENTLY ON %1 (%2, %3);</source>
        <translation>Vom Eigentümer der Tabelle anlegen lassen: CREATE INDEX CONCURRENTLY ON %1 (%2, %3);</translation>
    </message>
    <message>
        <source>Dispatch key</source>
        <translation>Dispatch-Key</translation>
    </message>
    <message>
        <source>The dispatch key has no unique index; a key would not keep a second event out.</source>
        <translation>Der Dispatch-Key hat keinen eindeutigen Index; ein Key würde ein zweites Ereignis nicht verhindern.</translation>
    </message>
    <message>
        <source>Ask the table&apos;s owner for a unique index on %1.</source>
        <translation>Vom Eigentümer der Tabelle einen eindeutigen Index auf %1 anlegen lassen.</translation>
    </message>
    <message>
        <source>Outbox rows</source>
        <translation>Outbox-Zeilen</translation>
    </message>
    <message>
        <source>Due rows</source>
        <translation>Fällige Zeilen</translation>
    </message>
    <message>
        <source>Nothing is due.</source>
        <translation>Nichts ist fällig.</translation>
    </message>
    <message>
        <source>%1 due, the oldest for %2 s.</source>
        <translation>%1 fällig, die älteste seit %2 s.</translation>
    </message>
    <message>
        <source>Nothing seems to drain this table: start a dispatcher, or look why it stands.</source>
        <translation>Nichts scheint diese Tabelle zu leeren: einen Dispatcher starten oder nachsehen, warum er steht.</translation>
    </message>
    <message>
        <source>Redis</source>
        <translation>Redis</translation>
    </message>
    <message>
        <source>No Redis URL is given.</source>
        <translation>Es ist keine Redis-URL angegeben.</translation>
    </message>
    <message>
        <source>Give one with --redis or OUTBOX_REDIS_URL.</source>
        <translation>Mit --redis oder OUTBOX_REDIS_URL angeben.</translation>
    </message>
    <message>
        <source>Eviction</source>
        <translation>Verdrängung</translation>
    </message>
    <message>
        <source>Redis keeps every job (noeviction).</source>
        <translation>Redis behält jeden Job (noeviction).</translation>
    </message>
    <message>
        <source>Queues</source>
        <translation>Queues</translation>
    </message>
    <message>
        <source>%1 queues below the prefix %2.</source>
        <translation>%1 Queues unter dem Präfix %2.</translation>
    </message>
    <message>
        <source>Jobs wait and no worker serves: %1.</source>
        <translation>Jobs warten und kein Worker bedient: %1.</translation>
    </message>
    <message>
        <source>Start the workers of these queues.</source>
        <translation>Die Worker dieser Queues starten.</translation>
    </message>
</context>
<context>
    <name>engine::watch::OutboxFeed</name>
    <message>
        <source>The connection %1 is read-only.</source>
        <translation>Die Verbindung %1 ist schreibgeschützt.</translation>
    </message>
    <message>
        <source>Allow writing in the connection&apos;s settings first.</source>
        <translation>Zuerst in den Einstellungen der Verbindung das Schreiben erlauben.</translation>
    </message>
</context>
<context>
    <name>models::CountText</name>
    <message>
        <source>%1 bn</source>
        <translation>%1 Mrd.</translation>
    </message>
    <message>
        <source>%1 M</source>
        <translation>%1 Mio.</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 Byte</translation>
    </message>
    <message>
        <source>%1 KiB</source>
        <translation>%1 KiB</translation>
    </message>
    <message>
        <source>%1 MiB</source>
        <translation>%1 MiB</translation>
    </message>
    <message>
        <source>%1 rows, counted exactly.</source>
        <translation>%1 Zeilen, genau gezählt.</translation>
    </message>
    <message>
        <source>%1 rows or more: counting stopped there.</source>
        <translation>%1 Zeilen oder mehr: Dort endete das Zählen.</translation>
    </message>
    <message>
        <source>About %1 rows, estimated from the database&apos;s statistics.</source>
        <translation>Etwa %1 Zeilen, geschätzt aus der Statistik der Datenbank.</translation>
    </message>
    <message>
        <source>The number of rows is not available now.</source>
        <translation>Die Zahl der Zeilen ist gerade nicht verfügbar.</translation>
    </message>
</context>
<context>
    <name>models::FindingsModel</name>
    <message>
        <source>Good</source>
        <comment>verdict of a check</comment>
        <translation>Gut</translation>
    </message>
    <message>
        <source>Warning</source>
        <comment>verdict of a check</comment>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Problem</source>
        <comment>verdict of a check</comment>
        <translation>Problem</translation>
    </message>
    <message>
        <source>Everything is in order</source>
        <translation>Alles in Ordnung</translation>
    </message>
    <message>
        <source>1 problem</source>
        <translation>1 Problem</translation>
    </message>
    <message>
        <source>%1 problems</source>
        <translation>%1 Probleme</translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation>1 Warnung</translation>
    </message>
    <message>
        <source>%1 warnings</source>
        <translation>%1 Warnungen</translation>
    </message>
</context>
<context>
    <name>models::LogModel</name>
    <message>
        <source>Info</source>
        <comment>log level</comment>
        <translation>Info</translation>
    </message>
    <message>
        <source>Warning</source>
        <comment>log level</comment>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Error</source>
        <comment>log level</comment>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Time</source>
        <comment>column</comment>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Level</source>
        <comment>column</comment>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>What happened</source>
        <comment>column</comment>
        <translation>Meldung</translation>
    </message>
</context>
<context>
    <name>models::OutboxModel</name>
    <message>
        <source>Scheduled</source>
        <comment>column: when the event is due</comment>
        <translation>Fällig</translation>
    </message>
    <message>
        <source>Created</source>
        <comment>column: when the event was written</comment>
        <translation>Erstellt</translation>
    </message>
    <message>
        <source>Status</source>
        <comment>column</comment>
        <translation>Status</translation>
    </message>
    <message>
        <source>Type</source>
        <comment>column: event type</comment>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Tenant</source>
        <comment>column</comment>
        <translation>Mandant</translation>
    </message>
    <message>
        <source>Retries</source>
        <comment>column: number of failed attempts</comment>
        <translation>Wdh.</translation>
    </message>
    <message>
        <source>Destination</source>
        <comment>column: queue</comment>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Note</source>
        <comment>column: error, lease or next attempt</comment>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>no route</source>
        <translation>keine Route</translation>
    </message>
    <message>
        <source>claimed %1</source>
        <translation>%1 beansprucht</translation>
    </message>
    <message>
        <source>lease ran out %1</source>
        <translation>Lease %1 abgelaufen</translation>
    </message>
    <message>
        <source>lease until %1</source>
        <translation>Lease bis %1</translation>
    </message>
    <message>
        <source>due %1</source>
        <translation>fällig %1</translation>
    </message>
    <message>
        <source>this layout has no such status</source>
        <translation>dieses Layout kennt den Status nicht</translation>
    </message>
    <message>
        <source>Handed to the destination. What the receiver did with it is not recorded here.</source>
        <translation>An das Ziel übergeben. Was der Empfänger damit tat, ist hier nicht verzeichnet.</translation>
    </message>
    <message>
        <source>No route matches this type: the dispatcher cannot hand it over.</source>
        <translation>Keine Route passt zu diesem Typ: Der Dispatcher kann es nicht übergeben.</translation>
    </message>
    <message>
        <source>retry %1</source>
        <translation>Wdh. %1</translation>
    </message>
    <message>
        <source>took %1</source>
        <translation>in %1</translation>
    </message>
</context>
<context>
    <name>models::ProfileModel</name>
    <message>
        <source>Private PostgreSQL and Redis</source>
        <translation>Privates PostgreSQL und Redis</translation>
    </message>
    <message>
        <source>Read-only</source>
        <translation>Nur lesen</translation>
    </message>
    <message>
        <source>Writable</source>
        <translation>Schreibbar</translation>
    </message>
    <message>
        <source>Production</source>
        <translation>Produktion</translation>
    </message>
    <message>
        <source>Sandbox</source>
        <translation>Sandbox</translation>
    </message>
</context>
<context>
    <name>models::QueueModel</name>
    <message>
        <source>paused</source>
        <translation>pausiert</translation>
    </message>
    <message>
        <source>1 job stalled</source>
        <translation>1 Job hängt</translation>
    </message>
    <message>
        <source>%1 jobs stalled</source>
        <translation>%1 Jobs hängen</translation>
    </message>
    <message>
        <source>none</source>
        <comment>workers</comment>
        <translation>keine</translation>
    </message>
    <message>
        <source>Written by BullMQ %1</source>
        <translation>Geschrieben von BullMQ %1</translation>
    </message>
    <message>
        <source>Redis does not let this connection see its clients, so workers cannot be counted.</source>
        <translation>Redis zeigt dieser Verbindung seine Clients nicht, Worker lassen sich daher nicht zählen.</translation>
    </message>
    <message>
        <source>Queue</source>
        <comment>column</comment>
        <translation>Queue</translation>
    </message>
    <message>
        <source>Waiting</source>
        <comment>column</comment>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>Jobs ready to be taken, paused or not</source>
        <translation>Abholbereite Jobs, ob pausiert oder nicht</translation>
    </message>
    <message>
        <source>Active</source>
        <comment>column</comment>
        <translation>Aktiv</translation>
    </message>
    <message>
        <source>Jobs held by a worker</source>
        <translation>Jobs, die ein Worker hält</translation>
    </message>
    <message>
        <source>Delayed</source>
        <comment>column</comment>
        <translation>Später</translation>
    </message>
    <message>
        <source>Jobs that become ready later, retries included</source>
        <translation>Jobs, die später bereit werden, auch Wiederholungen</translation>
    </message>
    <message>
        <source>Priority</source>
        <comment>column</comment>
        <translation>Priorität</translation>
    </message>
    <message>
        <source>Ready jobs with a priority</source>
        <translation>Abholbereite Jobs mit Priorität</translation>
    </message>
    <message>
        <source>Failed</source>
        <comment>column</comment>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Jobs that will not be tried again by themselves</source>
        <translation>Jobs, die nicht von selbst erneut versucht werden</translation>
    </message>
    <message>
        <source>Completed</source>
        <comment>column</comment>
        <translation>Erledigt</translation>
    </message>
    <message>
        <source>Finished jobs that are still kept</source>
        <translation>Fertige Jobs, die noch aufbewahrt werden</translation>
    </message>
    <message>
        <source>On children</source>
        <comment>column</comment>
        <translation>Auf Kinder</translation>
    </message>
    <message>
        <source>Jobs that wait for their child jobs</source>
        <translation>Jobs, die auf ihre Kind-Jobs warten</translation>
    </message>
    <message>
        <source>Stalled</source>
        <comment>column</comment>
        <translation>Hängt</translation>
    </message>
    <message>
        <source>Active jobs whose worker no longer holds the lock</source>
        <translation>Aktive Jobs, deren Worker die Sperre nicht mehr hält</translation>
    </message>
    <message>
        <source>Workers</source>
        <comment>column</comment>
        <translation>Worker</translation>
    </message>
    <message>
        <source>Workers connected to this queue</source>
        <translation>Mit dieser Queue verbundene Worker</translation>
    </message>
    <message>
        <source>Oldest waiting</source>
        <comment>column</comment>
        <translation>Wartet seit</translation>
    </message>
    <message>
        <source>Age of the job that has waited longest</source>
        <translation>Alter des am längsten wartenden Jobs</translation>
    </message>
    <message>
        <source>Note</source>
        <comment>column</comment>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>jobs wait, no worker is connected</source>
        <translation>Jobs warten, kein Worker verbunden</translation>
    </message>
</context>
<context>
    <name>models::SettingsModel</name>
    <message>
        <source>environment</source>
        <comment>where a setting comes from</comment>
        <translation>Umgebung</translation>
    </message>
    <message>
        <source>default</source>
        <comment>where a setting comes from</comment>
        <translation>Standard</translation>
    </message>
    <message>
        <source>Variable</source>
        <comment>column</comment>
        <translation>Variable</translation>
    </message>
    <message>
        <source>Value</source>
        <comment>column</comment>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Meaning</source>
        <comment>column</comment>
        <translation>Bedeutung</translation>
    </message>
    <message>
        <source>From</source>
        <comment>column: where a setting comes from</comment>
        <translation>Herkunft</translation>
    </message>
</context>
<context>
    <name>models::TimeText</name>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 min %2 s</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 h %2 min</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 h</translation>
    </message>
    <message>
        <source>%1 d %2 h</source>
        <translation>%1 d %2 h</translation>
    </message>
    <message>
        <source>%1 d</source>
        <translation>%1 d</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>in %1</translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation>vor %1</translation>
    </message>
</context>
<context>
    <name>models::Timeline</name>
    <message>
        <source>1 attempt failed</source>
        <translation>1 Versuch fehlgeschlagen</translation>
    </message>
    <message>
        <source>%1 attempts failed</source>
        <translation>%1 Versuche fehlgeschlagen</translation>
    </message>
    <message>
        <source>of at most %1</source>
        <translation>von höchstens %1</translation>
    </message>
    <message>
        <source>next attempt</source>
        <translation>nächster Versuch</translation>
    </message>
    <message>
        <source>due</source>
        <translation>fällig</translation>
    </message>
    <message>
        <source>has no due time</source>
        <translation>hat keine Fälligkeit</translation>
    </message>
    <message>
        <source>due again, waiting for a dispatcher</source>
        <translation>wieder fällig, wartet auf einen Dispatcher</translation>
    </message>
    <message>
        <source>due, waiting for a dispatcher</source>
        <translation>fällig, wartet auf einen Dispatcher</translation>
    </message>
    <message>
        <source>claimed by a dispatcher</source>
        <translation>von einem Dispatcher beansprucht</translation>
    </message>
    <message>
        <source>lease ran out, any dispatcher may take it</source>
        <translation>Lease abgelaufen, jeder Dispatcher darf sie nehmen</translation>
    </message>
    <message>
        <source>claimed, lease ends</source>
        <translation>beansprucht, Lease endet</translation>
    </message>
    <message>
        <source>written</source>
        <translation>geschrieben</translation>
    </message>
    <message>
        <source>handed over</source>
        <translation>übergeben</translation>
    </message>
    <message>
        <source>handed over to %1</source>
        <translation>übergeben an %1</translation>
    </message>
    <message>
        <source>after %1</source>
        <translation>nach %1</translation>
    </message>
    <message>
        <source>dead: not tried again by itself</source>
        <translation>Dead Letter: kein weiterer Versuch von selbst</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>status %1 is unknown to this layout</source>
        <translation>dieses Layout kennt den Status %1 nicht</translation>
    </message>
</context>
<context>
    <name>views::ActionRegistry</name>
    <message>
        <source> or </source>
        <comment>between two keys</comment>
        <translation> oder </translation>
    </message>
</context>
<context>
    <name>views::ComposeDialog</name>
    <message>
        <source>Indent</source>
        <translation>Einrücken</translation>
    </message>
    <message>
        <source>The same as command line</source>
        <translation>Dasselbe als Befehlszeile</translation>
    </message>
    <message>
        <source>Publish event</source>
        <translation>Veröffentlichen</translation>
    </message>
    <message>
        <source>Compose event</source>
        <translation>Ereignis verfassen</translation>
    </message>
    <message>
        <source>Publish event (Ctrl+Return)</source>
        <translation>Ereignis veröffentlichen (Strg+Return)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>&amp;Type</source>
        <translation>&amp;Typ</translation>
    </message>
    <message>
        <source>Event type</source>
        <translation>Ereignistyp</translation>
    </message>
    <message>
        <source>Tenant</source>
        <translation>Mandant</translation>
    </message>
    <message>
        <source>Te&amp;nant</source>
        <translation>&amp;Mandant</translation>
    </message>
    <message>
        <source>the type&apos;s first word</source>
        <translation>das erste Wort des Typs</translation>
    </message>
    <message>
        <source>the row&apos;s own id</source>
        <translation>die ID der Zeile selbst</translation>
    </message>
    <message>
        <source>Aggregate type</source>
        <translation>Aggregat-Typ</translation>
    </message>
    <message>
        <source>Aggregate id</source>
        <translation>Aggregat-ID</translation>
    </message>
    <message>
        <source>&amp;Aggregate</source>
        <translation>&amp;Aggregat</translation>
    </message>
    <message>
        <source>Payload, JSON</source>
        <translation>Payload, JSON</translation>
    </message>
    <message>
        <source>Lay the payload out; numbers and strings stay as they are typed</source>
        <translation>Die Payload formatieren; Zahlen und Zeichenketten bleiben wie eingegeben</translation>
    </message>
    <message>
        <source>&amp;Payload</source>
        <translation>&amp;Payload</translation>
    </message>
    <message>
        <source>Metadata, JSON</source>
        <translation>Metadaten, JSON</translation>
    </message>
    <message>
        <source>&amp;Metadata</source>
        <translation>Meta&amp;daten</translation>
    </message>
    <message>
        <source>optional: makes publishing twice harmless</source>
        <translation>optional: macht doppeltes Veröffentlichen harmlos</translation>
    </message>
    <message>
        <source>Dispatch key</source>
        <translation>Dispatch-Key</translation>
    </message>
    <message>
        <source>Dispatch &amp;key</source>
        <translation>Dispatch-&amp;Key</translation>
    </message>
    <message>
        <source>at once</source>
        <translation>sofort</translation>
    </message>
    <message>
        <source>Delay</source>
        <translation>Verzögerung</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>Sekunden</translation>
    </message>
    <message>
        <source>minutes</source>
        <translation>Minuten</translation>
    </message>
    <message>
        <source>hours</source>
        <translation>Stunden</translation>
    </message>
    <message>
        <source>Unit of the delay</source>
        <translation>Einheit der Verzögerung</translation>
    </message>
    <message>
        <source>&amp;Due</source>
        <translation>&amp;Fällig</translation>
    </message>
    <message>
        <source>In a terminal</source>
        <translation>Im Terminal</translation>
    </message>
    <message>
        <source>No route matches this type, so no dispatcher could hand it over.</source>
        <translation>Keine Route passt zu diesem Typ, kein Dispatcher könnte es übergeben.</translation>
    </message>
    <message>
        <source>Goes to the queue %1</source>
        <translation>Geht an die Queue %1</translation>
    </message>
    <message>
        <source>Valid JSON</source>
        <translation>Gültiges JSON</translation>
    </message>
    <message>
        <source>Publishing…</source>
        <translation>Wird veröffentlicht…</translation>
    </message>
    <message>
        <source>Already published</source>
        <translation>Bereits veröffentlicht</translation>
    </message>
    <message>
        <source>This dispatch key belongs to the event %1. Nothing was written.</source>
        <translation>Dieser Dispatch-Key gehört zum Ereignis %1. Es wurde nichts geschrieben.</translation>
    </message>
    <message>
        <source>Published</source>
        <translation>Veröffentlicht</translation>
    </message>
    <message>
        <source>Event %1</source>
        <translation>Ereignis %1</translation>
    </message>
    <message>
        <source>Outcome unknown</source>
        <translation>Ausgang ungewiss</translation>
    </message>
    <message>
        <source>Not published</source>
        <translation>Nicht veröffentlicht</translation>
    </message>
    <message>
        <source>An event needs a tenant.</source>
        <translation>Ein Ereignis braucht einen Mandanten.</translation>
    </message>
</context>
<context>
    <name>views::ConnectDialog</name>
    <message>
        <source>&amp;Read-only: nothing can be changed over this connection</source>
        <translation>Nur &amp;lesen: über diese Verbindung lässt sich nichts ändern</translation>
    </message>
    <message>
        <source>Pro&amp;duction: colours the window and its dialogs</source>
        <translation>Pro&amp;duktion: färbt das Fenster und seine Dialoge</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>&amp;Connect</source>
        <translation>&amp;Verbinden</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>Verbindungen</translation>
    </message>
    <message>
        <source>New</source>
        <translation>Neu</translation>
    </message>
    <message>
        <source>Describe a new connection</source>
        <translation>Eine neue Verbindung anlegen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Forget this connection and its passwords</source>
        <translation>Diese Verbindung und ihre Passwörter vergessen</translation>
    </message>
    <message>
        <source>billing-staging</source>
        <translation>billing-staging</translation>
    </message>
    <message>
        <source>found by itself where only one fits</source>
        <translation>wird gefunden, wenn nur eine passt</translation>
    </message>
    <message>
        <source>password, kept in the keyring</source>
        <translation>Passwort, liegt im Schlüsselbund</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>PostgreSQL address</source>
        <translation>PostgreSQL-Adresse</translation>
    </message>
    <message>
        <source>PostgreSQL password</source>
        <translation>PostgreSQL-Passwort</translation>
    </message>
    <message>
        <source>Redis address</source>
        <translation>Redis-Adresse</translation>
    </message>
    <message>
        <source>Redis password</source>
        <translation>Redis-Passwort</translation>
    </message>
    <message>
        <source>Outbox table</source>
        <translation>Outbox-Tabelle</translation>
    </message>
    <message>
        <source>Queue prefix</source>
        <translation>Queue-Präfix</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <source>&amp;PostgreSQL</source>
        <translation>&amp;PostgreSQL</translation>
    </message>
    <message>
        <source>R&amp;edis</source>
        <translation>R&amp;edis</translation>
    </message>
    <message>
        <source>&amp;Table</source>
        <translation>&amp;Tabelle</translation>
    </message>
    <message>
        <source>&amp;Queue prefix</source>
        <translation>&amp;Queue-Präfix</translation>
    </message>
    <message>
        <source>A private PostgreSQL and Redis on this computer, with sample tables and events. Started and stopped by the console; nothing else can reach them. Everything may be tried here. It holds one table of either layout: public.&quot;OutboxEvent&quot; and public.message_outbox.</source>
        <translation>Ein privates PostgreSQL und Redis auf diesem Rechner, mit Beispieltabellen und -ereignissen. Die Konsole startet und stoppt sie; nichts sonst kann sie erreichen. Hier darf alles ausprobiert werden. Für jedes Layout gibt es eine Tabelle: public.&quot;OutboxEvent&quot; und public.message_outbox.</translation>
    </message>
    <message>
        <source>Tes&amp;t connection</source>
        <translation>Ver&amp;bindung testen</translation>
    </message>
    <message>
        <source>Look at the database, the table, Redis and the queues, reading only</source>
        <translation>Datenbank, Tabelle, Redis und Queues ansehen, nur lesend</translation>
    </message>
    <message>
        <source>Copy findings</source>
        <translation>Befunde kopieren</translation>
    </message>
    <message>
        <source>Findings of the connection test</source>
        <translation>Befunde des Verbindungstests</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Wird geprüft…</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Gespeichert</translation>
    </message>
    <message>
        <source>PostgreSQL: an address is needed.</source>
        <translation>PostgreSQL: Eine Adresse ist nötig.</translation>
    </message>
    <message>
        <source>Redis: an address is needed.</source>
        <translation>Redis: Eine Adresse ist nötig.</translation>
    </message>
    <message>
        <source>Another connection has this name.</source>
        <translation>Eine andere Verbindung hat diesen Namen.</translation>
    </message>
    <message>
        <source>Give it a name to save it</source>
        <translation>Zum Speichern einen Namen geben</translation>
    </message>
    <message>
        <source>Passwords go to the desktop&apos;s keyring</source>
        <translation>Passwörter kommen in den Schlüsselbund des Desktops</translation>
    </message>
</context>
<context>
    <name>views::ConnectionTag</name>
    <message>
        <source>Sandbox</source>
        <translation>Sandbox</translation>
    </message>
    <message>
        <source>Unsaved connection</source>
        <translation>Ungespeicherte Verbindung</translation>
    </message>
    <message>
        <source>PRODUCTION</source>
        <translation>PRODUKTION</translation>
    </message>
</context>
<context>
    <name>views::CopyField</name>
    <message>
        <source>Copy: %1</source>
        <translation>Kopieren: %1</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
</context>
<context>
    <name>views::DispatcherPage</name>
    <message>
        <source>Starting</source>
        <translation>Startet</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Recovering</source>
        <translation>Wiederanlauf</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Stoppt</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Gestoppt</translation>
    </message>
    <message>
        <source>Dispatcher</source>
        <translation>Dispatcher</translation>
    </message>
    <message>
        <source>Claimed</source>
        <translation>Beansprucht</translation>
    </message>
    <message>
        <source>Rows taken from the table</source>
        <translation>Aus der Tabelle genommene Zeilen</translation>
    </message>
    <message>
        <source>Handed over</source>
        <translation>Übergeben</translation>
    </message>
    <message>
        <source>Rows whose event is in its queue</source>
        <translation>Zeilen, deren Ereignis in seiner Queue ist</translation>
    </message>
    <message>
        <source>Duplicates</source>
        <translation>Doppelt</translation>
    </message>
    <message>
        <source>Handed over before: the job was there already</source>
        <translation>Früher schon übergeben: Der Job war bereits da</translation>
    </message>
    <message>
        <source>Retried</source>
        <translation>Erneut</translation>
    </message>
    <message>
        <source>Attempts that failed and will be made again</source>
        <translation>Fehlgeschlagene Versuche, die wiederholt werden</translation>
    </message>
    <message>
        <source>Dead</source>
        <translation>Dead Letter</translation>
    </message>
    <message>
        <source>Rows that will not be tried again by themselves</source>
        <translation>Zeilen, die nicht von selbst erneut versucht werden</translation>
    </message>
    <message>
        <source>Lease lost</source>
        <translation>Lease weg</translation>
    </message>
    <message>
        <source>Settled too late: another dispatcher holds the row, nothing was changed</source>
        <translation>Zu spät abgeschlossen: Ein anderer Dispatcher hält die Zeile, nichts wurde geändert</translation>
    </message>
    <message>
        <source>Released</source>
        <translation>Freigegeben</translation>
    </message>
    <message>
        <source>Given back without an attempt</source>
        <translation>Ohne Versuch zurückgegeben</translation>
    </message>
    <message>
        <source>In flight</source>
        <translation>Unterwegs</translation>
    </message>
    <message>
        <source>Claimed and not settled yet</source>
        <translation>Beansprucht und noch nicht abgeschlossen</translation>
    </message>
    <message>
        <source>Start or stop the dispatcher</source>
        <translation>Dispatcher starten oder stoppen</translation>
    </message>
    <message>
        <source>Dispatcher log</source>
        <translation>Dispatcher-Protokoll</translation>
    </message>
    <message>
        <source>Lowest level shown</source>
        <translation>Niedrigste gezeigte Stufe</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>Warnungen und Fehler</translation>
    </message>
    <message>
        <source>Errors only</source>
        <translation>Nur Fehler</translation>
    </message>
    <message>
        <source>Copy log</source>
        <translation>Protokoll kopieren</translation>
    </message>
    <message>
        <source>Copy the entries shown</source>
        <translation>Die gezeigten Einträge kopieren</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Empty this list</source>
        <translation>Diese Liste leeren</translation>
    </message>
    <message>
        <source>Settings in force</source>
        <translation>Geltende Einstellungen</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Log and settings</source>
        <translation>Protokoll und Einstellungen</translation>
    </message>
    <message>
        <source>Start dispatcher</source>
        <translation>Dispatcher starten</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Stoppt…</translation>
    </message>
    <message>
        <source>Stop dispatcher</source>
        <translation>Dispatcher stoppen</translation>
    </message>
    <message>
        <source>This connection is read-only.</source>
        <translation>Diese Verbindung ist schreibgeschützt.</translation>
    </message>
    <message>
        <source>Start or stop (Ctrl+D)</source>
        <translation>Starten oder stoppen (Strg+D)</translation>
    </message>
    <message>
        <source>for %1</source>
        <translation>seit %1</translation>
    </message>
    <message>
        <source>Other dispatchers of this table go on working.</source>
        <translation>Andere Dispatcher dieser Tabelle arbeiten weiter.</translation>
    </message>
    <message>
        <source>It tries again by itself, and no attempt is counted.</source>
        <translation>Er versucht es von selbst erneut, ein Versuch wird dabei nicht gezählt.</translation>
    </message>
    <message>
        <source>Cannot work now</source>
        <translation>Kann gerade nicht arbeiten</translation>
    </message>
    <message>
        <source>Cannot work for %1 now</source>
        <translation>Kann seit %1 nicht arbeiten</translation>
    </message>
    <message>
        <source>This connection is read-only</source>
        <translation>Diese Verbindung ist schreibgeschützt</translation>
    </message>
    <message>
        <source>Dispatching writes to the table. To allow it, clear “Read-only” in the connection.</source>
        <translation>Das Zustellen schreibt in die Tabelle. Um es zu erlauben, „Nur lesen“ in der Verbindung abwählen.</translation>
    </message>
    <message>
        <source>Open connection…</source>
        <translation>Verbindung öffnen…</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>Achtung</translation>
    </message>
</context>
<context>
    <name>views::HeaderBar</name>
    <message>
        <source>Connection</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>Access</source>
        <translation>Zugriff</translation>
    </message>
    <message>
        <source>Time zone of shown times</source>
        <translation>Zeitzone der gezeigten Zeiten</translation>
    </message>
    <message>
        <source>Refresh now</source>
        <translation>Jetzt aktualisieren</translation>
    </message>
    <message>
        <source>Pause refreshing</source>
        <translation>Aktualisierung anhalten</translation>
    </message>
    <message>
        <source>Refresh interval</source>
        <translation>Aktualisierungsintervall</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>Menü</translation>
    </message>
    <message>
        <source>UTC</source>
        <translation>UTC</translation>
    </message>
    <message>
        <source>Local time</source>
        <translation>Ortszeit</translation>
    </message>
    <message>
        <source>Time zone of all times shown (%1)</source>
        <translation>Zeitzone aller gezeigten Zeiten (%1)</translation>
    </message>
    <message>
        <source>Every %1 s</source>
        <translation>Alle %1 s</translation>
    </message>
    <message>
        <source>How often the page in view is read again</source>
        <translation>Wie oft die gezeigte Seite neu gelesen wird</translation>
    </message>
    <message>
        <source>Menu (%1)</source>
        <translation>Menü (%1)</translation>
    </message>
    <message>
        <source>Sandbox</source>
        <translation>Sandbox</translation>
    </message>
    <message>
        <source>Unsaved connection</source>
        <translation>Ungespeicherte Verbindung</translation>
    </message>
    <message>
        <source>PRODUCTION</source>
        <translation>PRODUKTION</translation>
    </message>
    <message>
        <source>Read-only</source>
        <translation>Nur lesen</translation>
    </message>
    <message>
        <source>Writable</source>
        <translation>Schreibbar</translation>
    </message>
    <message>
        <source>Nothing can be changed over this connection. Click to change that.</source>
        <translation>Über diese Verbindung lässt sich nichts ändern. Klicken, um das zu ändern.</translation>
    </message>
    <message>
        <source>Events can be published and dispatched over this connection. Click to change that.</source>
        <translation>Über diese Verbindung lassen sich Ereignisse veröffentlichen und zustellen. Klicken, um das zu ändern.</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>Resume refreshing (%1)</source>
        <translation>Aktualisierung fortsetzen (%1)</translation>
    </message>
    <message>
        <source>Pause refreshing (%1)</source>
        <translation>Aktualisierung anhalten (%1)</translation>
    </message>
    <message>
        <source>Resume refreshing</source>
        <translation>Aktualisierung fortsetzen</translation>
    </message>
</context>
<context>
    <name>views::JsonEdit</name>
    <message>
        <source>Line %1, column %2: %3</source>
        <translation>Zeile %1, Spalte %2: %3</translation>
    </message>
</context>
<context>
    <name>views::JsonView</name>
    <message>
        <source>Copy payload</source>
        <translation>Payload kopieren</translation>
    </message>
    <message>
        <source>Save payload to a file</source>
        <translation>Payload in eine Datei speichern</translation>
    </message>
    <message>
        <source>Formatted</source>
        <translation>Formatiert</translation>
    </message>
    <message>
        <source>As stored</source>
        <translation>Wie gespeichert</translation>
    </message>
    <message>
        <source>Payload view</source>
        <translation>Ansicht der Payload</translation>
    </message>
    <message>
        <source>Copy the payload as stored</source>
        <translation>Die Payload wie gespeichert kopieren</translation>
    </message>
    <message>
        <source>Save the payload as stored…</source>
        <translation>Die Payload wie gespeichert sichern…</translation>
    </message>
    <message>
        <source>Payload</source>
        <translation>Payload</translation>
    </message>
    <message>
        <source>Not valid JSON (line %1, column %2), shown as stored.</source>
        <translation>Kein gültiges JSON (Zeile %1, Spalte %2), gezeigt wie gespeichert.</translation>
    </message>
    <message>
        <source>Too large to lay out, shown as stored.</source>
        <translation>Zu groß zum Formatieren, gezeigt wie gespeichert.</translation>
    </message>
    <message>
        <source>The first %1 of %2; copy and save take more.</source>
        <translation>Die ersten %1 von %2; Kopieren und Speichern nehmen mehr.</translation>
    </message>
    <message>
        <source>Only the first %1 were read.</source>
        <translation>Nur die ersten %1 wurden gelesen.</translation>
    </message>
    <message>
        <source>Save payload</source>
        <translation>Payload speichern</translation>
    </message>
    <message>
        <source>Saved to %1.</source>
        <translation>In %1 gespeichert.</translation>
    </message>
    <message>
        <source>Could not save: %1</source>
        <translation>Speichern fehlgeschlagen: %1</translation>
    </message>
</context>
<context>
    <name>views::KeyboardDialog</name>
    <message>
        <source>Keyboard</source>
        <translation>Tastatur</translation>
    </message>
    <message>
        <source>List of keys</source>
        <translation>Liste der Tasten</translation>
    </message>
</context>
<context>
    <name>views::MainWindow</name>
    <message>
        <source>Outbox Console</source>
        <translation>Outbox Console</translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation>Überall</translation>
    </message>
    <message>
        <source>Connect…</source>
        <translation>Verbinden…</translation>
    </message>
    <message>
        <source>Compose event…</source>
        <translation>Ereignis verfassen…</translation>
    </message>
    <message>
        <source>Refresh now</source>
        <translation>Jetzt aktualisieren</translation>
    </message>
    <message>
        <source>Pause or resume refreshing</source>
        <translation>Aktualisierung anhalten oder fortsetzen</translation>
    </message>
    <message>
        <source>Switch between UTC and local time</source>
        <translation>Zwischen UTC und Ortszeit wechseln</translation>
    </message>
    <message>
        <source>Keyboard…</source>
        <translation>Tastatur…</translation>
    </message>
    <message>
        <source>Open the menu</source>
        <translation>Menü öffnen</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Erscheinungsbild</translation>
    </message>
    <message>
        <source>Like the desktop</source>
        <translation>Wie der Desktop</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>About Outbox Console…</source>
        <translation>Über Outbox Console…</translation>
    </message>
    <message>
        <source>Sandbox</source>
        <translation>Sandbox</translation>
    </message>
    <message>
        <source>%1 (PRODUCTION) – Outbox Console</source>
        <translation>%1 (PRODUKTION) – Outbox Console</translation>
    </message>
    <message>
        <source>%1 – Outbox Console</source>
        <translation>%1 – Outbox Console</translation>
    </message>
    <message>
        <source>About Outbox Console</source>
        <translation>Über Outbox Console</translation>
    </message>
    <message>
        <source>Outbox Console %1</source>
        <translation>Outbox Console %1</translation>
    </message>
    <message>
        <source>Watch, dispatch and repair transactional outboxes.
Free software under the GNU General Public License, version 3 or later.</source>
        <translation>Transaktionale Outboxes beobachten, zustellen und reparieren.
Freie Software unter der GNU General Public License, Version 3 oder später.</translation>
    </message>
</context>
<context>
    <name>views::OutboxDetailPane</name>
    <message>
        <source>Event id</source>
        <translation>Ereignis-ID</translation>
    </message>
    <message>
        <source>Last error</source>
        <translation>Letzter Fehler</translation>
    </message>
    <message>
        <source>Compose similar…</source>
        <translation>Als Vorlage…</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>Befehl kopieren</translation>
    </message>
    <message>
        <source>The command that shows this row in a terminal</source>
        <translation>Der Befehl, der diese Zeile im Terminal zeigt</translation>
    </message>
    <message>
        <source>This connection is read-only.</source>
        <translation>Diese Verbindung ist schreibgeschützt.</translation>
    </message>
    <message>
        <source>Compose a new event of this type with this payload</source>
        <translation>Ein neues Ereignis dieses Typs mit dieser Payload verfassen</translation>
    </message>
    <message>
        <source>Reading the row…</source>
        <translation>Zeile wird gelesen…</translation>
    </message>
    <message>
        <source>Choose a row to see its timeline, its last error and its payload.</source>
        <translation>Eine Zeile wählen, um Verlauf, letzten Fehler und Payload zu sehen.</translation>
    </message>
    <message>
        <source>Tenant</source>
        <translation>Mandant</translation>
    </message>
    <message>
        <source>Destination</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>no route for this type</source>
        <translation>keine Route für diesen Typ</translation>
    </message>
    <message>
        <source>Dispatch key</source>
        <translation>Dispatch-Key</translation>
    </message>
    <message>
        <source>Aggregate</source>
        <translation>Aggregat</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>Metadaten</translation>
    </message>
</context>
<context>
    <name>views::OutboxFilterBar</name>
    <message>
        <source>Clear all filters</source>
        <translation>Alle Filter leeren</translation>
    </message>
    <message>
        <source>type starts with…</source>
        <translation>Typ beginnt mit…</translation>
    </message>
    <message>
        <source>Event type starts with</source>
        <translation>Ereignistyp beginnt mit</translation>
    </message>
    <message>
        <source>tenant is…</source>
        <translation>Mandant ist…</translation>
    </message>
    <message>
        <source>Tenant is</source>
        <translation>Mandant ist</translation>
    </message>
    <message>
        <source>error contains…</source>
        <translation>Fehler enthält…</translation>
    </message>
    <message>
        <source>Last error contains</source>
        <translation>Letzter Fehler enthält</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Show all rows again</source>
        <translation>Wieder alle Zeilen zeigen</translation>
    </message>
    <message>
        <source>Only %1. %2</source>
        <translation>Nur %1. %2</translation>
    </message>
    <message>
        <source>The count is of the whole table, whatever the filter.</source>
        <translation>Gezählt wird die ganze Tabelle, unabhängig vom Filter.</translation>
    </message>
</context>
<context>
    <name>views::OutboxPage</name>
    <message>
        <source>Outbox</source>
        <translation>Outbox</translation>
    </message>
    <message>
        <source>Compose event…</source>
        <translation>Ereignis verfassen…</translation>
    </message>
    <message>
        <source>Outbox rows</source>
        <translation>Outbox-Zeilen</translation>
    </message>
    <message>
        <source>Newest</source>
        <translation>Neueste</translation>
    </message>
    <message>
        <source>Newer</source>
        <translation>Neuere</translation>
    </message>
    <message>
        <source>Older</source>
        <translation>Ältere</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Verbindung wird hergestellt…</translation>
    </message>
    <message>
        <source>Newest rows</source>
        <translation>Neueste Zeilen</translation>
    </message>
    <message>
        <source>Newer rows</source>
        <translation>Neuere Zeilen</translation>
    </message>
    <message>
        <source>Older rows</source>
        <translation>Ältere Zeilen</translation>
    </message>
    <message>
        <source>Filter by type</source>
        <translation>Nach Typ filtern</translation>
    </message>
    <message>
        <source>Clear all filters</source>
        <translation>Alle Filter leeren</translation>
    </message>
    <message>
        <source>Copy the row&apos;s id</source>
        <translation>ID der Zeile kopieren</translation>
    </message>
    <message>
        <source>Copy the row as command line</source>
        <translation>Zeile als Befehlszeile kopieren</translation>
    </message>
    <message>
        <source>Lists</source>
        <translation>Listen</translation>
    </message>
    <message>
        <source>Pause or resume refreshing</source>
        <translation>Aktualisierung anhalten oder fortsetzen</translation>
    </message>
    <message>
        <source>Space</source>
        <comment>key</comment>
        <translation>Leertaste</translation>
    </message>
    <message>
        <source>Copy the chosen rows</source>
        <translation>Gewählte Zeilen kopieren</translation>
    </message>
    <message>
        <source>This connection is read-only. Allow writing in its settings (Ctrl+O) first.</source>
        <translation>Diese Verbindung ist schreibgeschützt. Zuerst in ihren Einstellungen (Strg+O) das Schreiben erlauben.</translation>
    </message>
    <message>
        <source>Write a new event (Ctrl+N)</source>
        <translation>Ein neues Ereignis schreiben (Strg+N)</translation>
    </message>
    <message>
        <source>Reading %1…</source>
        <translation>%1 wird gelesen…</translation>
    </message>
    <message>
        <source>No row matches the filter</source>
        <translation>Keine Zeile passt zum Filter</translation>
    </message>
    <message>
        <source>Counts on the buttons above are of the whole table.</source>
        <translation>Die Zahlen auf den Schaltflächen oben gelten für die ganze Tabelle.</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>Filter leeren</translation>
    </message>
    <message>
        <source>The table is empty</source>
        <translation>Die Tabelle ist leer</translation>
    </message>
    <message>
        <source>Events appear here as soon as an application writes them.</source>
        <translation>Ereignisse erscheinen hier, sobald eine Anwendung sie schreibt.</translation>
    </message>
    <message>
        <source>Compose an event…</source>
        <translation>Ereignis verfassen…</translation>
    </message>
    <message>
        <source>Name the one you mean in the connection&apos;s Table field.</source>
        <translation>Die gemeinte im Feld „Tabelle“ der Verbindung angeben.</translation>
    </message>
    <message>
        <source>Open connection…</source>
        <translation>Verbindung öffnen…</translation>
    </message>
    <message>
        <source>The rows below are from the last answer.</source>
        <translation>Die Zeilen unten stammen aus der letzten Antwort.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>The newest %1 rows</source>
        <translation>Die neuesten %1 Zeilen</translation>
    </message>
    <message>
        <source>All %1 rows</source>
        <translation>Alle %1 Zeilen</translation>
    </message>
    <message>
        <source>%1 rows, older and newer ones exist</source>
        <translation>%1 Zeilen, es gibt ältere und neuere</translation>
    </message>
    <message>
        <source>The oldest %1 rows</source>
        <translation>Die ältesten %1 Zeilen</translation>
    </message>
    <message>
        <source>number of rows unavailable</source>
        <translation>Zahl der Zeilen nicht verfügbar</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 Zeilen</translation>
    </message>
</context>
<context>
    <name>views::PageState</name>
    <message>
        <source>Working</source>
        <translation>In Arbeit</translation>
    </message>
    <message>
        <source>What the server said</source>
        <translation>Antwort des Servers</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
</context>
<context>
    <name>views::QueuesPage</name>
    <message>
        <source>Queues</source>
        <translation>Queues</translation>
    </message>
    <message>
        <source>queue or note contains…</source>
        <translation>Queue oder Hinweis enthält…</translation>
    </message>
    <message>
        <source>Queue or note contains</source>
        <translation>Queue oder Hinweis enthält</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Verbindung wird hergestellt…</translation>
    </message>
    <message>
        <source>Filter queues</source>
        <translation>Queues filtern</translation>
    </message>
    <message>
        <source>No queue under the prefix “%1”</source>
        <translation>Keine Queue unter dem Präfix „%1“</translation>
    </message>
    <message>
        <source>A queue appears with its first job. If your workers use another prefix, set it in the connection (Ctrl+O).</source>
        <translation>Eine Queue erscheint mit ihrem ersten Job. Verwenden die Worker ein anderes Präfix, dieses in der Verbindung eintragen (Strg+O).</translation>
    </message>
    <message>
        <source>The figures below are from the last answer.</source>
        <translation>Die Zahlen unten stammen aus der letzten Antwort.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>1 queue</source>
        <translation>1 Queue</translation>
    </message>
    <message>
        <source>%1 queues</source>
        <translation>%1 Queues</translation>
    </message>
    <message>
        <source>%1 of %2 queues</source>
        <translation>%1 von %2 Queues</translation>
    </message>
    <message>
        <source>1 needs attention</source>
        <translation>1 auffällig</translation>
    </message>
    <message>
        <source>%1 need attention</source>
        <translation>%1 auffällig</translation>
    </message>
</context>
<context>
    <name>views::ThroughputChart</name>
    <message>
        <source>%1 min ago</source>
        <translation>vor %1 min</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>Rows handed over per second, last five minutes</source>
        <translation>Pro Sekunde übergebene Zeilen, letzte fünf Minuten</translation>
    </message>
    <message>
        <source>Handed over</source>
        <translation>Übergeben</translation>
    </message>
    <message>
        <source>per second, last five minutes</source>
        <translation>pro Sekunde, letzte fünf Minuten</translation>
    </message>
    <message>
        <source>now %1 per second</source>
        <translation>jetzt %1 pro Sekunde</translation>
    </message>
</context>
</TS>
