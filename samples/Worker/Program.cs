using Worker;

// ConnectionStrings__ripple is in the environment: an administrator gave it to you.
HostApplicationBuilder builder = Host.CreateApplicationBuilder(args);
builder.AddRipple();
builder.Services.AddOptions<GreetingOptions>().BindConfiguration("Greeting");
builder.Services.AddHostedService<Greeter>();
builder.Build().Run();
