using System.CommandLine.Completions;
using Ripple.Admin;
using Ripple.Admin.Contracts;
using Ripple.Admin.Profiles;
using Ripple.Trust;

namespace Ripple.Cli.Completion;

/// <summary>Completes names of the cluster: within two seconds or not at all, and without reporting failures.</summary>
internal sealed class NameCompleter(CliScope scope)
{
    private const int NamesMax = 1_000;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);

    public IEnumerable<CompletionItem> Applications(CompletionContext context) =>
        Read(context, (client, cancel) => client.ListApplicationsAsync(cancel), (ApplicationInfo a) => a.Name, "");

    public IEnumerable<CompletionItem> Regions(CompletionContext context) =>
        Read(context, (client, cancel) => client.ListRegionsAsync(cancel), (RegionInfo r) => r.Name, "");

    public IEnumerable<CompletionItem> Keys(CompletionContext context, string? application, string suffix) => application is null
        ? []
        : Read(context, (client, cancel) => client.ListKeysAsync(application, null, null, cancel), (KeyInfo k) => k.Key, suffix);

    private List<CompletionItem> Read<T>(
        CompletionContext context,
        Func<RippleAdminClient, CancellationToken, IAsyncEnumerable<T>> list,
        Func<T, string> name,
        string suffix)
    {
        // Completion is synchronous, in a process that does nothing else.
        using var limit = new CancellationTokenSource(Patience);
        Task<List<CompletionItem>> reading = Task.Run(() => ReadAsync(context, list, name, suffix, limit.Token), limit.Token);
        try
        {
            return reading.Wait(Patience) ? reading.Result : [];
        }
        catch (AggregateException)
        {
            return [];
        }
    }

    private async Task<List<CompletionItem>> ReadAsync<T>(
        CompletionContext context,
        Func<RippleAdminClient, CancellationToken, IAsyncEnumerable<T>> list,
        Func<T, string> name,
        string suffix,
        CancellationToken cancellationToken)
    {
        var profile = new ConnectionProfile(scope.Console.Environment);
        using RippleAdminClient client = CliContext.Open(profile.Resolve(context.ParseResult.GetValue(scope.Connection)));
        var items = new List<CompletionItem>();
        await foreach (T item in list(client, cancellationToken).ConfigureAwait(false))
        {
            string text = name(item) + suffix;
            if (text.StartsWith(context.WordToComplete, StringComparison.Ordinal) && ShownText.FindHiddenInName(text) is null)
            {
                items.Add(new CompletionItem(text));
            }

            if (items.Count == NamesMax)
            {
                break;
            }
        }

        return items;
    }
}
