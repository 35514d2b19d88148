using System.CommandLine;
using Ripple.Gms.Server;
using Ripple.Gms.Store;

namespace Ripple.Gms.Host.Commands;

/// <summary><c>audit</c>: lists audit entries, newest first.</summary>
internal static class AuditCommand
{
    private const int CountMax = 100_000;

    public static Command Make()
    {
        var application = new Option<string?>("--application", "-a") { Description = "Of this application alone", HelpName = "NAME" };
        var count = new Option<int>("--count", "-n") { Description = "How many entries", DefaultValueFactory = _ => 50, HelpName = "N" };
        count.Validators.Add(result =>
        {
            if (result.GetValueOrDefault<int>() is < 1 or > CountMax)
            {
                result.AddError($"--count takes 1 to {CountMax}.");
            }
        });
        var command = new Command("audit", "Shows who did what, newest first.") { application, count };
        command.SetAction(async (result, _) =>
        {
            using IHostStore store = OpenedStore.Open(
                new GmsDirectory(Path.GetFullPath(result.GetRequiredValue(CommonOptions.Data))), result.GetValue(CommonOptions.StoreFile));
            string? name = result.GetValue(application);
            int left = result.GetValue(count);
            long before = long.MaxValue;
            while (left > 0)
            {
                long from = before;
                int most = Math.Min(left, StoreLimits.RowsMax);
                IReadOnlyList<AuditRecord> records = await store.ReadAsync<IReadOnlyList<AuditRecord>>(
                    done => store.ReadAudit(name, from, most, done)).ConfigureAwait(false);
                foreach (AuditRecord record in records)
                {
                    Console.WriteLine(Line(record.Entry));
                }

                if (records.Count == 0)
                {
                    break;
                }

                left -= records.Count;
                before = records[^1].Number;
            }

            return ExitCodes.Done;
        });
        return command;
    }

    private static string Line(AuditEntry entry)
    {
        string release = entry.Release is { } number ? $" release {number}" : "";
        return $"{UnixTime.Text(entry.TimeUnixMicros)}  {entry.Actor}  {entry.Action}  {entry.Application ?? "-"}{release}  {entry.Detail}";
    }
}
