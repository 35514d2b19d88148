using System.CommandLine;
using Ripple.Engine.Releases;
using Ripple.Gms.Server;
using Ripple.Gms.Store;
using Ripple.Gms.Store.Postgres;

namespace Ripple.Gms.Host.Commands;

/// <summary><c>application create</c> and <c>application list</c>.</summary>
internal static class ApplicationCommands
{
    public static Command Make() => new("application", "Creates and lists applications.") { Create(), List() };

    private static Command Create()
    {
        var name = new Argument<string>("NAME") { Description = "1 to 100 of a-z 0-9 . _ -, starting with a letter or digit" };
        var command = new Command("create", "Creates an application in the directory of a host that does not run. "
            + "While it runs, an administrator's client creates it.") { name };
        command.SetAction((result, _) => CreateAsync(
            new GmsDirectory(Path.GetFullPath(result.GetRequiredValue(CommonOptions.Data))),
            result.GetValue(CommonOptions.StoreFile),
            result.GetRequiredValue(name)));
        return command;
    }

    private static Command List()
    {
        var command = new Command("list", "Lists the applications.");
        command.SetAction((result, _) =>
        {
            using IHostStore store = OpenedStore.Open(
                new GmsDirectory(Path.GetFullPath(result.GetRequiredValue(CommonOptions.Data))), result.GetValue(CommonOptions.StoreFile));
            Console.WriteLine($"{"RELEASE",8}  {"GENERATION",10}  {"KEYS",6}  NAME");
            foreach (StoredApplication application in store.Load().Applications.OrderBy(a => a.Name, StringComparer.Ordinal))
            {
                Console.WriteLine(
                    $"{application.Newest?.Release ?? 0,8}  {application.Generation,10}  {application.Keys.Count,6}  {application.Name}");
            }

            return Task.FromResult(ExitCodes.Done);
        });
        return command;
    }

    private static async Task<int> CreateAsync(GmsDirectory directory, string? storeFile, string name)
    {
        if (ReleaseNames.CheckApplication(name) is { } wrong)
        {
            throw new CommandException(wrong, isUsage: true);
        }

        using IHostStore store = OpenAsHost(directory, storeFile);
        HostState state = store.Load();
        if (state.Applications.Any(a => a.Name == name))
        {
            throw new CommandException($"The application '{name}' is there already.");
        }

        uint topic = state.Applications.Select(a => a.Topic).DefaultIfEmpty().Max() + 1;
        await store.CommitAsync(new CommitBatch
        {
            Applications = [new NewApplication(topic, name, state.GenerationMin)],
            Audit = [new AuditEntry(SystemWallClock.Instance.UnixMicros, OpenedStore.Actor, "application.create", name, null, "")],
        }).ConfigureAwait(false);
        Console.WriteLine($"{name} created");
        return ExitCodes.Done;
    }

    /// <summary>
    /// A running host keeps its applications in memory and would not see one added by another process, so adding requires the host's lock.
    /// </summary>
    private static IHostStore OpenAsHost(GmsDirectory directory, string? storeFile)
    {
        using (OpenedStore.Open(directory, storeFile))
        {
            // Reports a missing or damaged store first.
        }

        try
        {
            return storeFile is null
                ? new SqliteHostStore(directory.Store)
                : new PostgresHostStore(PostgresAddress.ReadFile(storeFile), directory.Database);
        }
        catch (StoreException e)
        {
            throw new CommandException(
                $"The host of '{directory.Path}' runs and would not learn of the application. "
                    + $"Create it with a client that uses '{directory.AdminConnection}', or stop the host first. ({e.Message})");
        }
    }
}
