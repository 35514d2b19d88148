using Microsoft.AspNetCore.Diagnostics.HealthChecks;
using Microsoft.Extensions.Options;
using Web;

// ConnectionStrings__ripple is in the environment: an administrator gave it to you.
WebApplicationBuilder builder = WebApplication.CreateBuilder(args);
builder.AddRipple();

// A release whose price is not in this range is rejected here, and named to its publisher; this process goes on with the one before.
builder.Services.AddOptions<PriceOptions>().BindConfiguration("Price").ValidateDataAnnotations().ValidateOnStart();

WebApplication app = builder.Build();
app.MapGet("/", (IOptionsSnapshot<PriceOptions> price) => $"{price.Value.Amount} {price.Value.Currency}");

// For a load balancer, never for a restart: a degraded process serves what it has.
app.MapHealthChecks(
    "/health", new HealthCheckOptions { Predicate = check => check.Tags.Contains("ready"), ResponseWriter = HealthText.WriteAsync });
app.Run();
