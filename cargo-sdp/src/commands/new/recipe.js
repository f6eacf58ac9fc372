// @title @@NAME@@
// @description @@DESCRIPTION@@
// @params altitude
// @gives { total, rows: [{ id, title, altitude, readiness, file }] }
const accepts = ["altitude"];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };

const rows = g
  .specs()
  .filter((spec) => spec.statedReadiness !== "ready")
  .filter((spec) => params.altitude === undefined || spec.altitude === params.altitude)
  .map((spec) => ({
    id: spec.id,
    title: spec.title,
    altitude: spec.altitude,
    readiness: spec.statedReadiness,
    file: spec.file,
  }));
return { total: rows.length, rows };
