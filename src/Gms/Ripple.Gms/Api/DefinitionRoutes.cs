using System.Text;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Ripple.Admin.Contracts;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Gms.Calls;
using Ripple.Gms.Definitions;
using Ripple.Gms.Frontier;
using Ripple.Gms.Publishing;
using Ripple.Gms.Store;

namespace Ripple.Gms.Api;

/// <summary>
/// The route for what an application says about itself. It is changed as any application is: by publishing to its companion.
/// </summary>
internal static class DefinitionRoutes
{
    public static void Map(RouteGroupBuilder group)
    {
        group.MapGet("/applications/{application}/definitions", ReadAsync)
            .WithSummary("The definitions of an application, which are the values of its companion: $NAME")
            .RequireRole(AccessRole.Node);
        group.MapPost("/applications/{application}/externals/{external}/reports", ReportAsync)
            .WithSummary("Reports a level of the application's own for an external; answers what counts from then on")
            .ProducesProblem(StatusCodes.Status404NotFound)
            .LimitAs(RequestCost.Change)
            .RequireRole(AccessRole.Publisher);
    }

    private static async Task<DefinitionsInfo> ReadAsync(ApiContext api, HttpContext context, string application)
    {
        ApplicationDefinitions definitions = await api.Gateway.DefinitionsAsync(
            ApiCaller.Of(context).ForCalls, application).ConfigureAwait(false);
        return new DefinitionsInfo
        {
            Application = application,
            Release = definitions.Release,
            Predicates =
            [
                .. definitions.Predicates.Values.Select(p => new PredicateInfo { Name = p.Name, Text = p.Text, Version = p.Version }),
            ],
            Levels = [.. definitions.Levels.Select(l => new LevelInfo { Name = l.Key, Description = l.Value })],
            Areas = [.. definitions.Areas.Select(a => new AreaInfo { Name = a.Key, Zones = a.Value })],
            Externals =
            [
                .. definitions.Externals.Select(e => new ExternalInfo
                {
                    Name = e.Key,
                    Description = e.Value,
                    Levels = [.. definitions.Reports.Values.Where(r => r.External == e.Key).Select(Of)],
                }),
            ],
            Space = definitions.Space is { } space ? new SpaceInfo { Text = space.Text, Version = space.Version } : null,
        };
    }

    private static async Task<ReportedLevel> ReportAsync(
        ApiContext api, HttpContext context, string application, string external, ReportRequest request)
    {
        Caller caller = ApiCaller.Of(context).ForCalls;
        uint generation = request.Generation
            ?? (await api.Gateway.ApplicationAsync(caller, application).ConfigureAwait(false)).Generation;
        var report = new ExternalReport(external, request.Level, generation, request.Release);
        string key = $"{DefinitionKey.ReportPrefix}{external}/{request.Level}";
        var input = new PublishInput(
            CompanionName.Of(application),
            ChangeHeaders.Of(context.Request).PublishId,
            ExpectedState.Any,
            string.Empty,
            [new PublishInputKey(key, Encoding.UTF8.GetBytes(report.Text))]);
        try
        {
            await api.Gateway.PublishAsync(caller, input).WaitAsync(context.RequestAborted).ConfigureAwait(false);
            return Of(report);
        }
        catch (ApiProblemException e) when (e.Problem.Code == ProblemCodes.NothingChanged)
        {
            // It was reported before, or a later one was, which says so of this one.
            ApplicationDefinitions definitions = await api.Gateway.DefinitionsAsync(caller, application).ConfigureAwait(false);
            return Of(definitions.Reports.GetValueOrDefault($"{external}/{request.Level}", report));
        }
    }

    private static ReportedLevel Of(ExternalReport report) =>
        new() { Level = report.Level, Generation = report.Generation, Release = report.Release };
}
