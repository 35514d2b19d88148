using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Ripple.Admin.Contracts;
using Ripple.Gms.Definitions;
using Ripple.Gms.Store;

namespace Ripple.Gms.Api;

/// <summary>
/// The route for what an application says about itself. It is changed as any application is: by publishing to its companion.
/// </summary>
internal static class DefinitionRoutes
{
    public static void Map(RouteGroupBuilder group) => group.MapGet("/applications/{application}/definitions", ReadAsync)
        .WithSummary("The definitions of an application, which are the values of its companion: $NAME")
        .RequireRole(AccessRole.Node);

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
            Space = definitions.Space is { } space ? new SpaceInfo { Text = space.Text, Version = space.Version } : null,
        };
    }
}
