using System.Text.Json.Nodes;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.OpenApi;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.OpenApi;
using Ripple.Admin.Contracts;

namespace Ripple.Gms.Api;

/// <summary>
/// The admin API: HTTPS on the host's own port, under <c>/v1</c>. Every path, known or not, requires a token; each route checks the token's
/// role. Reaches the core only through <see cref="HostGateway"/>.
/// </summary>
internal static class AdminApi
{
    public static void AddServices(IServiceCollection services, ApiContext api)
    {
        services.AddSingleton(api);
        services.AddSingleton(_ => new RefusedBodies(TimeProvider.System));
        services.AddRouting();
        services.AddAuthentication(AccessTokenAuthentication.SchemeName).AddScheme<AuthenticationSchemeOptions, AccessTokenAuthentication>(
            AccessTokenAuthentication.SchemeName, null);
        // A route without an explicit policy still requires authentication.
        services.AddAuthorizationBuilder().SetFallbackPolicy(new AuthorizationPolicyBuilder().RequireAuthenticatedUser().Build());
        services.AddRateLimiter(ApiLimits.Set);
        services.Configure<RouteHandlerOptions>(options => options.ThrowOnBadRequest = true);
        services.ConfigureHttpJsonOptions(options =>
        {
            options.SerializerOptions.TypeInfoResolverChain.Insert(0, AdminJson.Default);
            options.SerializerOptions.UnmappedMemberHandling = System.Text.Json.Serialization.JsonUnmappedMemberHandling.Disallow;
            options.SerializerOptions.DefaultIgnoreCondition = System.Text.Json.Serialization.JsonIgnoreCondition.WhenWritingNull;
        });
        services.AddOpenApi("v1", options =>
        {
            options.AddDocumentTransformer(Describe);
            options.AddOperationTransformer(DescribeRole);
        });
    }

    public static void Map(WebApplication server, ApiContext api)
    {
        RefusedBodies refused = server.Services.GetRequiredService<RefusedBodies>();
        server.Use(next => context => ProblemPipeline.RunAsync(context, next, api, refused));
        server.UseRouting();
        server.UseAuthentication();
        server.UseAuthorization();
        server.Use(next => context => ProvedConnection.RunAsync(context, next));
        server.Use(next => context => RoleFilter.JudgeAsync(context, next));
        server.UseRateLimiter();
        server.MapOpenApi(AdminRoutes.Document.Replace("v1", "{documentName}", StringComparison.Ordinal));
        RouteGroupBuilder group = server.MapGroup(AdminRoutes.Prefix).ProducesProblem(StatusCodes.Status401Unauthorized);
        ClusterRoutes.Map(group);
        ApplicationRoutes.Map(group);
        ReleaseRoutes.Map(group);
        ChangeRoutes.Map(group);
        FrontierRoutes.Map(group);
        DefinitionRoutes.Map(group);
        NodeRoutes.Map(group);
        RegionRoutes.Map(group);
        WaitRoutes.Map(group);
        MonitorRoutes.Map(group);
        SpaceRoutes.Map(group);
        TokenRoutes.Map(group);
        RoleRoutes.Map(group);
        AuditRoutes.Map(group);
    }

    private static Task DescribeRole(
        OpenApiOperation operation, OpenApiOperationTransformerContext context, CancellationToken cancellationToken)
    {
        if (context.Description.ActionDescriptor.EndpointMetadata.OfType<RoleFilter>().LastOrDefault() is { } filter)
        {
            operation.Description = $"Takes the role: {filter.Text}.";
            operation.Extensions ??= new Dictionary<string, IOpenApiExtension>();
            operation.Extensions["x-ripple-role"] = new JsonNodeExtension(JsonValue.Create(filter.Text));
        }

        return Task.CompletedTask;
    }

    private static Task Describe(OpenApiDocument document, OpenApiDocumentTransformerContext context, CancellationToken cancellationToken)
    {
        document.Info.Title = "Ripple admin API";
        document.Info.Description = "Publish, see who has it, roll back, administer. Every request carries a token of the cluster as "
            + "bearer. Errors are problem details with a stable code.";
        document.Components ??= new OpenApiComponents();
        document.Components.SecuritySchemes ??= new Dictionary<string, IOpenApiSecurityScheme>();
        document.Components.SecuritySchemes["token"] = new OpenApiSecurityScheme
        {
            Type = SecuritySchemeType.Http,
            Scheme = "bearer",
            Description = "A token, as in the connection string: <id>.<secret>",
        };
        document.Security = [new OpenApiSecurityRequirement { [new OpenApiSecuritySchemeReference("token", document)] = [] }];
        return Task.CompletedTask;
    }
}
